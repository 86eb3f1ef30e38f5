import type { BoundSql } from '../boundSql.ts';
import { misuse } from '../../base/errors.ts';
import type { CellRange } from '../../protocol/rowQueries.ts';
import { exactText, type Row } from '../../wire/values.ts';
import { SpoolQueries } from '../results/queries/spoolQueries.ts';
import type { WorkOptions } from '../results/rowQueries.ts';
import { Spool } from '../results/spool.ts';
import type { BrowseRequest } from './browseRequest.ts';
import { intervalRowCount, intervalsOf, rangesWithin } from './rowIntervals.ts';
import { overlaidRows } from './rowOverlay.ts';
import type { PageCache } from './pageCache.ts';
import { PageSkipped } from './tablePage.ts';
import type { TableView } from './tableView.ts';

/** The share of the download in the whole work. The rest is copying, exporting or summing up. */
const downloadShare = 0.7;

/** Rows of a table on disk, for as long as they are copied, exported or summed up. */
export async function openDownload(request: BrowseRequest, view: TableView) {
  const { project, pageSize, overlay } = request;
  const { pages } = view;
  const { folder, thread } = await request.downloadParts();
  const spool = await Spool.create(folder);
  const queries = new SpoolQueries({
    thread,
    columns: () => view.columns,
    spool: () => spool,
    rowCount: () => spool.rowCount,
    mayGrow: () => false,
    onChange: () => undefined,
  });
  return {
    queries,

    /** Downloads ranges page by page, also rows that were never in view. Rejects if they have more than `maxRows`. */
    async fetchRanges(wanted: readonly CellRange[], maxRows: number, { signal, onProgress }: WorkOptions) {
      const knownRows = overlay.newRows.length + pages.rowCount;
      const ranges = wanted
        .map(range => ({ ...range, endRow: Math.min(range.endRow, knownRows) }))
        .filter(({ firstRow, endRow }) => firstRow < endRow);
      const intervals = intervalsOf(ranges);
      const rowCount = intervalRowCount(intervals);
      if (rowCount > maxRows) {
        throw misuse('too_many_rows', `At most ${maxRows} rows of a browsed table can be used. Export takes all rows.`);
      }
      for (const { firstRow, endRow } of intervals) {
        for (let start = firstRow; start < endRow; start += pageSize) {
          signal.throwIfAborted();
          const end = Math.min(start + pageSize, endRow);
          const rows = await overlaidRows(overlay, pages, start, end, (first, last) =>
            fetchRows(pages, first, last, signal),
          );
          // Missing rows would shift all rows after them.
          if (rows.length < end - start) {
            throw misuse('rows_gone', 'The table has fewer rows than before. Refresh, then try again.');
          }
          const bytes = Buffer.from(rows.map(row => exactText(row)).join(','));
          await spool.append({ bytes, rowCount: rows.length });
          onProgress?.((downloadShare * spool.rowCount) / rowCount);
        }
      }
      return rangesWithin(intervals, ranges);
    },

    /** Downloads all rows with one statement, which reads a consistent snapshot. */
    async streamTable(
      { sql, params }: BoundSql,
      columns: readonly number[],
      { signal, onProgress, onCounted }: WorkOptions,
    ): Promise<CellRange[]> {
      const scanner = await project.stream(sql, params, { signal });
      try {
        for await (const batch of scanner.rawBatches()) {
          // A renamed column would be left out silently.
          if (spool.rowCount === 0 && scanner.columns) view.checkColumns(scanner.columns);
          await spool.append(batch);
          onProgress?.(downloadShare * Math.min(1, spool.rowCount / Math.max(1, pages.rowCount)));
        }
      } finally {
        await scanner.close();
      }
      const fault = scanner.err();
      if (fault) throw fault;
      if (scanner.columns) view.checkColumns(scanner.columns);
      onCounted?.(spool.rowCount);
      return [{ firstRow: 0, endRow: spool.rowCount, columns }];
    },

    async [Symbol.asyncDispose](): Promise<void> {
      queries.dispose();
      await spool.delete();
    },
  };
}

/** Fetches the pages again that are skipped because the user scrolls. */
async function fetchRows(pages: PageCache, start: number, end: number, signal: AbortSignal): Promise<Row[]> {
  for (;;) {
    try {
      return await pages.rows(start, end);
    } catch (thrown) {
      if (!(thrown instanceof PageSkipped)) throw thrown;
      signal.throwIfAborted();
    }
  }
}

/** Options for the work on downloaded rows. Its progress continues where the download ended. */
export const afterDownload = ({ onProgress, ...others }: WorkOptions): WorkOptions => ({
  ...others,
  ...(onProgress && { onProgress: (done: number) => onProgress(downloadShare + (1 - downloadShare) * done) }),
});
