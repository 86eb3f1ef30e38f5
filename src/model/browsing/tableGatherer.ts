import { misuse } from '../../base/errors.ts';
import type { CellRange } from '../../protocol/rowQueries.ts';
import type { Row } from '../../wire/values.ts';
import type { WorkOptions } from '../results/rowQueries.ts';
import type { BrowseRequest } from './browseRequest.ts';
import { gatheredRanges, GatheredRows, intervalsOf } from './gatheredRows.ts';
import { ScrolledPast } from './page.ts';
import type { Statement } from './rowSource.ts';
import type { TableLook } from './tableLook.ts';

/** Rows of a table that are asked for to be worked through. */
export interface Gathered {
  readonly rows: GatheredRows;
  /** The ranges that were asked for, as they stand in those rows. */
  readonly ranges: readonly CellRange[];
}

/** How much of the work it is to get the rows; the rest is what is made of them. */
const share = 0.7;

/** Gets the rows of ranges, page by page, also those that nobody has looked at. No more than `most`. */
export async function gatherRanges(
  { spooling, pageSize }: BrowseRequest,
  look: TableLook,
  ranges: readonly CellRange[],
  { signal, onProgress, most }: WorkOptions & { readonly most: number },
): Promise<Gathered> {
  const { pages } = look;
  const within = ranges.map(range => ({ ...range, endRow: Math.min(range.endRow, pages.rowCount) }));
  const wanted = within.filter(({ firstRow, endRow }) => firstRow < endRow);
  const intervals = intervalsOf(wanted);
  const all = intervals.reduce((sum, { firstRow, endRow }) => sum + endRow - firstRow, 0);
  if (all > most) {
    throw misuse(
      'too_many_rows',
      `Of a table that is browsed, ${most} rows at most are taken at a time. Export takes all.`,
    );
  }
  return filled(spooling, look, async rows => {
    for (const { firstRow, endRow } of intervals) {
      for (let at = firstRow; at < endRow; at += pageSize) {
        signal.throwIfAborted();
        const end = Math.min(at + pageSize, endRow);
        const found = await rowsBetween(look, at, end, signal);
        // What is missing would move all rows behind it.
        if (found.length < end - at)
          throw misuse('rows_gone', 'The table has fewer rows by now. Refresh, then try again.');
        await rows.add(found);
        onProgress?.((share * rows.rowCount) / all);
      }
    }
    return gatheredRanges(wanted, intervals);
  });
}

/** While somebody scrolls, pages that nobody looks at are given up. These are wanted all the same. */
async function rowsBetween({ pages }: TableLook, start: number, end: number, signal: AbortSignal): Promise<Row[]> {
  for (;;) {
    try {
      return await pages.rows(start, end);
    } catch (thrown) {
      if (!(thrown instanceof ScrolledPast)) throw thrown;
      signal.throwIfAborted();
    }
  }
}

/** Gets all rows of a table by one statement, which sees it as it is at one moment. */
export async function gatherAll(
  { spooling, project }: BrowseRequest,
  look: TableLook,
  statement: Statement,
  { columns, signal, onProgress, onCounted }: WorkOptions & { readonly columns: readonly number[] },
): Promise<Gathered> {
  return filled(spooling, look, async rows => {
    const scanner = await project.stream(statement.sql, statement.params, { signal });
    try {
      for await (const frame of scanner.frames()) {
        // What is under another name by now would be left out without a word.
        if (rows.rowCount === 0 && scanner.columns) look.checkColumns(scanner.columns);
        await rows.addFrame(frame);
        onProgress?.(share * Math.min(1, rows.rowCount / Math.max(1, look.pages.rowCount)));
      }
    } finally {
      await scanner.close();
    }
    const fault = scanner.err();
    if (fault) throw fault;
    if (scanner.columns) look.checkColumns(scanner.columns);
    onCounted?.(rows.rowCount);
    return [{ firstRow: 0, endRow: rows.rowCount, columns }];
  });
}

/** Says how what comes behind the rows goes on. */
export const restOf = ({ signal, onProgress }: WorkOptions): WorkOptions => ({
  signal,
  ...(onProgress && { onProgress: (done: number) => onProgress(share + (1 - share) * done) }),
});

async function filled(
  spooling: BrowseRequest['spooling'],
  look: TableLook,
  fill: (rows: GatheredRows) => Promise<readonly CellRange[]>,
): Promise<Gathered> {
  const rows = await GatheredRows.begin(spooling, () => look.columns);
  try {
    return { rows, ranges: await fill(rows) };
  } catch (thrown) {
    await rows[Symbol.asyncDispose]();
    throw thrown;
  }
}
