import type { BoundSql } from '../boundSql.ts';
import { misuse } from '../../base/errors.ts';
import type { CellRange } from '../../protocol/rowQueries.ts';
import { exactText, type Row } from '../../wire/values.ts';
import { SpoolQueries } from '../results/queries/spoolQueries.ts';
import type { RowsThread } from '../results/queries/rowsThread.ts';
import type { WorkOptions } from '../results/rowQueries.ts';
import { Spool } from '../results/spool.ts';
import type { BrowseRequest } from './browseRequest.ts';
import { intervalRowCount, intervalsOf, rangesWithin } from './rowIntervals.ts';
import { overlaidRows } from './rowOverlay.ts';
import { PageSkipped } from './tablePage.ts';
import type { TableView } from './tableView.ts';

export interface DownloadStorage {
  readonly folder: () => Promise<string>;
  readonly rowsThread: () => Promise<RowsThread>;
}

/** The share of the download in the whole work. The rest is copying, exporting or summing up. */
const downloadShare = 0.7;

/** Rows of a table on disk, for as long as they are copied, exported or summed up. */
export class TableDownload implements AsyncDisposable {
  readonly queries: SpoolQueries;
  readonly #spool: Spool;
  #ranges: readonly CellRange[] = [];

  private constructor(view: TableView, spool: Spool, thread: RowsThread) {
    this.#spool = spool;
    this.queries = new SpoolQueries({
      thread,
      columns: () => view.columns,
      spool: () => spool,
      rowCount: () => spool.rowCount,
      mayGrow: () => false,
      onChange: () => undefined,
    });
  }

  get ranges(): readonly CellRange[] {
    return this.#ranges;
  }

  /** Downloads ranges page by page, also rows that were never in view. Rejects if they have more than `maxRows`. */
  static ofRanges(
    request: BrowseRequest,
    view: TableView,
    ranges: readonly CellRange[],
    { maxRows, ...options }: WorkOptions & { readonly maxRows: number },
  ): Promise<TableDownload> {
    const { overlay } = request;
    const rowCount = overlay.newRows.length + view.pages.rowCount;
    const existing = ranges
      .map(range => ({ ...range, endRow: Math.min(range.endRow, rowCount) }))
      .filter(({ firstRow, endRow }) => firstRow < endRow);
    if (intervalRowCount(intervalsOf(existing)) > maxRows) {
      throw misuse('too_many_rows', `At most ${maxRows} rows of a browsed table can be used. Export takes all rows.`);
    }
    return TableDownload.#start(request, view, download => download.#fetchRanges(request, view, existing, options));
  }

  /** Downloads all rows with one statement, which reads a consistent snapshot. */
  static ofTable(
    request: BrowseRequest,
    view: TableView,
    statement: BoundSql,
    options: WorkOptions & { readonly columns: readonly number[] },
  ): Promise<TableDownload> {
    return TableDownload.#start(request, view, download => download.#streamTable(request, view, statement, options));
  }

  static async #start(
    { downloads }: BrowseRequest,
    view: TableView,
    fill: (download: TableDownload) => Promise<void>,
  ): Promise<TableDownload> {
    const thread = await downloads.rowsThread();
    const spool = await Spool.create(await downloads.folder());
    const download = new TableDownload(view, spool, thread);
    try {
      await fill(download);
      return download;
    } catch (thrown) {
      await download[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.queries.dispose();
    await this.#spool.delete();
  }

  async #fetchRanges(
    { pageSize, overlay }: BrowseRequest,
    view: TableView,
    ranges: readonly CellRange[],
    { signal, onProgress }: WorkOptions,
  ): Promise<void> {
    const intervals = intervalsOf(ranges);
    const rowCount = intervalRowCount(intervals);
    for (const { firstRow, endRow } of intervals) {
      for (let start = firstRow; start < endRow; start += pageSize) {
        signal.throwIfAborted();
        const end = Math.min(start + pageSize, endRow);
        const rows = await overlaidRows(overlay, view.pages, start, end, (first, last) =>
          fetchRows(view, first, last, signal),
        );
        // Missing rows would shift all rows after them.
        if (rows.length < end - start) {
          throw misuse('rows_gone', 'The table has fewer rows than before. Refresh, then try again.');
        }
        await this.#append(rows);
        onProgress?.((downloadShare * this.#spool.rowCount) / rowCount);
      }
    }
    this.#ranges = rangesWithin(intervals, ranges);
  }

  async #streamTable(
    { project }: BrowseRequest,
    view: TableView,
    statement: BoundSql,
    { columns, signal, onProgress, onCounted }: WorkOptions & { readonly columns: readonly number[] },
  ): Promise<void> {
    const scanner = await project.stream(statement.sql, statement.params, { signal });
    try {
      for await (const batch of scanner.rawBatches()) {
        // A renamed column would be left out silently.
        if (this.#spool.rowCount === 0 && scanner.columns) view.checkColumns(scanner.columns);
        await this.#spool.append(batch);
        onProgress?.(downloadShare * Math.min(1, this.#spool.rowCount / Math.max(1, view.pages.rowCount)));
      }
    } finally {
      await scanner.close();
    }
    const fault = scanner.err();
    if (fault) throw fault;
    if (scanner.columns) view.checkColumns(scanner.columns);
    const { rowCount } = this.#spool;
    onCounted?.(rowCount);
    this.#ranges = [{ firstRow: 0, endRow: rowCount, columns }];
  }

  async #append(rows: readonly Row[]): Promise<void> {
    const bytes = Buffer.from(rows.map(row => exactText(row)).join(','));
    await this.#spool.append({ bytes, rowCount: rows.length });
  }
}

/** Fetches the pages again that are skipped because the user scrolls. */
async function fetchRows({ pages }: TableView, start: number, end: number, signal: AbortSignal): Promise<Row[]> {
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
export const afterDownload = ({ signal, onProgress }: WorkOptions): WorkOptions => ({
  signal,
  ...(onProgress && { onProgress: (done: number) => onProgress(downloadShare + (1 - downloadShare) * done) }),
});
