import type { FindStep, FindResult, FindQuery } from '../../../protocol/rowQueries.ts';
import type { Job } from '../../job.ts';
import { type RowsFile, scanShown, type ShownRows } from './rowsFile.ts';
import { TextMatcher } from './textMatcher.ts';
import type { RowWalker } from './rowWalker.ts';

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
      const next = step.backwards ? counts.before(from, shown) - 1 : counts.before(from + 1, shown);
      row = counts.rowOf((next + count) % count, shown);
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

/** The number of rows whose matches are summed up, so that a match is found without reading every row's count. */
const stride = 4096;

/** Counts the matches of each row, whatever the order of the rows is. So the step to the next match reads a single row. */
class MatchCounts {
  readonly #query: FindQuery;
  readonly #columns: readonly number[];
  #counts: Uint16Array | Uint32Array;
  #countedRows = 0;
  #sums: { readonly orderVersion: number; readonly rowCount: number; readonly values: Float64Array } | undefined;

  constructor(query: FindQuery, columns: readonly number[]) {
    this.#query = query;
    this.#columns = [...new Set(columns)].toSorted((one, other) => one - other);
    this.#counts = this.#columns.length > 0xffff ? new Uint32Array(0) : new Uint16Array(0);
  }

  async countTo(job: Job, file: RowsFile, rowCount: number): Promise<void> {
    if (this.#query.text === '' || rowCount <= this.#countedRows) return;
    const { walker, slots } = file.createWalker(this.#columns);
    const usedSlots = [...new Set(slots)].filter(slot => slot !== -1);
    const matcher = new BlockMatcher(this.#query.text, this.#query.matchCase);
    this.#reserve(rowCount);
    await file.scan(job, {
      walker,
      firstRow: this.#countedRows,
      endRow: rowCount,
      onBlock: (bytes, length) => matcher.setBlock(bytes, length),
      onRow: row => {
        let count = 0;
        for (const slot of usedSlots) if (matches(matcher, walker, slot)) count++;
        this.#counts[row] = count;
        this.#countedRows = Math.max(this.#countedRows, row + 1);
      },
    });
  }

  before(shownRow: number, shown: ShownRows): number {
    const sums = this.#sumsOf(shown);
    let sum = sums[Math.floor(shownRow / stride)]!;
    for (let row = shownRow - (shownRow % stride); row < shownRow; row++) sum += this.#countOf(row, shown);
    return sum;
  }

  /** The row of a match, by its number in the order shown. */
  rowOf(match: number, shown: ShownRows): number {
    const sums = this.#sumsOf(shown);
    let nth = 0;
    while (sums[nth + 1]! <= match) nth++;
    let row = nth * stride;
    let sum = sums[nth]! + this.#countOf(row, shown);
    while (sum <= match && row < shown.rowCount) sum += this.#countOf(++row, shown);
    return row;
  }

  #countOf(shownRow: number, { rows }: ShownRows): number {
    return this.#counts[rows ? rows[shownRow]! : shownRow] ?? 0;
  }

  /** The number of matches before each stride of rows, and at the end that of all rows. */
  #sumsOf(shown: ShownRows): Float64Array {
    const { orderVersion, rowCount } = shown;
    if (this.#sums?.orderVersion === orderVersion && this.#sums.rowCount === rowCount) return this.#sums.values;
    const values = new Float64Array(Math.ceil(rowCount / stride) + 1);
    let sum = 0;
    for (let row = 0; row < rowCount; row++) {
      if (row % stride === 0) values[row / stride] = sum;
      sum += this.#countOf(row, shown);
    }
    values[values.length - 1] = sum;
    this.#sums = { orderVersion, rowCount, values };
    return values;
  }

  #reserve(rowCount: number): void {
    if (rowCount <= this.#counts.length) return;
    const size = Math.max(rowCount, this.#counts.length * 2);
    const counts = this.#counts instanceof Uint32Array ? new Uint32Array(size) : new Uint16Array(size);
    counts.set(this.#counts);
    this.#counts = counts;
  }
}

function matches(matcher: TextMatcher, walker: RowWalker, slot: number): boolean {
  return matcher.matches(walker.bytes as Buffer, walker.from[slot]!, walker.to[slot]!, walker.flags[slot]!);
}

/** Searches a block at once: a cell matches if it contains the next match. Only cells that must be decoded are tested alone. */
class BlockMatcher extends TextMatcher {
  #block = '';
  #foundAt = 0;
  #searchedFrom = 0;

  setBlock(bytes: Buffer, length: number): void {
    if (this.byteText === undefined) return;
    this.#block = this.textOf(bytes, 0, length);
    this.#foundAt = this.#search(0);
  }

  /** Cells in ascending order share a search. */
  protected override isBetween(_bytes: Buffer, from: number, to: number): boolean {
    // A cell before the last one needs a new search. Columns may be in any order.
    if (this.#foundAt < from || this.#searchedFrom > from) this.#foundAt = this.#search(from);
    return this.#foundAt + this.byteText!.length <= to;
  }

  #search(from: number): number {
    this.#searchedFrom = from;
    const at = this.#block.indexOf(this.byteText!, from);
    return at === -1 ? Infinity : at;
  }
}
