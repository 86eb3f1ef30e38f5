import type { FindStep, FindResult } from '../../../protocol/rowQueries.ts';
import type { Job } from './job.ts';
import { MatchCounts, matches } from './matchCounts.ts';
import type { RowsFile } from './rowsFile.ts';
import { scanShown, type ShownRows } from './shownRows.ts';
import { TextMatcher } from './textMatcher.ts';

/** Searches the rows of one file. It keeps the match counts of the latest query, so that the next step is quick. */
export class Finder {
  readonly #file: RowsFile;
  #latest: { readonly key: string; readonly counts: MatchCounts } | undefined;

  constructor(file: RowsFile) {
    this.#file = file;
  }

  /** The next match in the order shown. After the last match comes the first. */
  async find(job: Job, shown: ShownRows, rowCount: number, step: FindStep): Promise<FindResult> {
    const counts = this.#countsOf(step);
    await counts.countTo(job, this.#file, rowCount);
    const count = shown.rowCount === 0 ? 0 : counts.before(shown.rowCount, shown);
    if (count === 0) return { count: 0 };
    const matchesIn = (row: number): Promise<number[]> => this.#matchesIn(job, shown, row, step);
    const from = Math.min(step.row, shown.rowCount - 1);
    const at = step.row < shown.rowCount ? step.columns.indexOf(step.column) : step.columns.length;
    const isAhead = (nth: number): boolean => (step.including && nth === at) || (step.backwards ? nth < at : nth > at);
    let row = from;
    let cells = await matchesIn(row);
    const ahead = cells.filter(isAhead);
    let found = step.backwards ? ahead.at(-1) : ahead[0];
    if (found === undefined) {
      row = nextRow(counts, shown, from, step.backwards);
      cells = await matchesIn(row);
      found = step.backwards ? cells.at(-1) : cells[0];
    }
    if (found === undefined) return { count };
    const index = counts.before(row, shown) + cells.indexOf(found);
    return { count, place: { index, row, column: step.columns[found]! } };
  }

  #countsOf({ text, matchCase, columns }: FindStep): MatchCounts {
    const key = JSON.stringify([text, matchCase, columns]);
    if (this.#latest?.key !== key) this.#latest = { key, counts: new MatchCounts({ text, matchCase }, columns) };
    return this.#latest.counts;
  }

  /** The matches of a row: indexes into the columns that are searched. */
  async #matchesIn(job: Job, shown: ShownRows, row: number, { text, matchCase, columns }: FindStep): Promise<number[]> {
    const { walker, slots } = this.#file.createWalker(columns);
    const matcher = new TextMatcher(text, matchCase);
    let found: number[] = [];
    const onRow = (): void => {
      const seen = new Set<number>();
      found = slots.flatMap((slot, nth) => {
        if (slot === -1 || seen.has(slot) || !matches(matcher, walker, slot)) return [];
        seen.add(slot);
        return [nth];
      });
    };
    await scanShown(job, this.#file, shown, { walker, firstRow: row, endRow: row + 1, onRow });
    return found;
  }
}

/** The row of the match before or after a row. The search wraps around at the ends. */
function nextRow(counts: MatchCounts, shown: ShownRows, row: number, backwards: boolean): number {
  if (backwards) {
    const previous = counts.rowUpTo(row - 1, shown);
    return previous === -1 ? counts.rowUpTo(shown.rowCount - 1, shown) : previous;
  }
  const next = counts.rowFrom(row + 1, shown);
  return next === -1 ? counts.rowFrom(0, shown) : next;
}
