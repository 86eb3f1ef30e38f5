import type { BoundSql } from '../boundSql.ts';
import { misuse } from '../../base/errors.ts';
import type {
  Arrangement,
  CellRange,
  FindStep,
  FindResult,
  Summary,
  ValueCount,
  ValueCounts,
  ValuesQuery,
} from '../../protocol/rowQueries.ts';
import type { ColumnProfile, ProfileQuery } from '../../protocol/profile.ts';
import { type CellPart, cellPart } from '../../protocol/results.ts';
import { tagValue, textOf } from '../../protocol/shownValues.ts';
import { isBlobType, type Row } from '../../wire/values.ts';
import type { RowQueries, SqliteFileRequest, TextRequest, WorkOptions } from '../results/rowQueries.ts';
import type { BrowseRequest } from './browseRequest.ts';
import { blobFilterText } from '../results/thread/formats/literals.ts';
import { findInRows, valueIn } from './findInRows.ts';
import { overlaidRows } from './rowOverlay.ts';
import { afterDownload, openDownload } from './tableDownload.ts';
import { tableProfile } from './tableProfile.ts';
import { unsortedStatement, valuesStatement } from './tableStatements.ts';
import type { SwitchOptions, TableViews } from './tableViews.ts';

/** How many rows are downloaded to be copied, or to be summed up with each step of a selection. */
const maxCopiedRows = 100_000;
const maxSummedRows = 10_000;
/** The most frequent values in the profile of a column. */
const maxTopValues = 20;
/** Nobody looks for a longer value in a list. */
const maxValueLength = 300;

/** Row queries on a browsed table. The service arranges, and rows that are not loaded are downloaded. */
export class TableQueries implements RowQueries {
  readonly #request: BrowseRequest;
  readonly #views: TableViews;
  readonly #shownRows: () => number;

  constructor(request: BrowseRequest, views: TableViews, shownRows: () => number) {
    this.#request = request;
    this.#views = views;
    this.#shownRows = shownRows;
  }

  get orderVersion(): number {
    return this.#views.orderVersion + this.#request.overlay.orderVersion;
  }

  get arrangement(): Arrangement {
    return this.#views.current.arrangement;
  }

  get shownRows(): number {
    return this.#shownRows();
  }

  get statement(): BoundSql {
    return this.#views.current.statement ?? unsortedStatement(this.#request.table);
  }

  /** Settles when `row`, the first by default, has arrived in the new arrangement. */
  async arrange(arrangement: Arrangement, options: Partial<WorkOptions & SwitchOptions> = {}): Promise<void> {
    await this.#views.arrange(arrangement, { row: 0, ...options });
  }

  async cell(row: number, column: number, maxLength: number): Promise<CellPart> {
    const { pages, columns } = this.#views.current;
    const [found] = await overlaidRows(this.#request.overlay, pages, row, row + 1, (start, end) =>
      pages.rows(start, end),
    );
    const name = columns[column]?.name;
    if (!found || name === undefined) throw misuse('no_such_cell', 'This cell is no longer there.');
    return cellPart(tagValue(valueIn(found, name)), maxLength);
  }

  /** Searches the loaded rows only: the service must not read a whole table with each letter typed. */
  find(step: FindStep): Promise<FindResult> {
    const { pages, columns } = this.#views.current;
    const { pageSize, overlay } = this.#request;
    const { newRows } = overlay;
    const loaded = pages.loadedPages.map(({ number, rows }) => ({
      firstRow: newRows.length + number * pageSize,
      rows: rows.map((row, index) => overlay.shownRow(row, { view: pages, number: number * pageSize + index })),
    }));
    return Promise.resolve(findInRows([{ firstRow: 0, rows: newRows }, ...loaded], columns, step));
  }

  async summarize(ranges: readonly CellRange[], options: WorkOptions): Promise<Summary> {
    await using download = await this.#download({ ranges }, { ...options, maxRows: maxSummedRows });
    return await download.queries.summarize(download.ranges, afterDownload(options));
  }

  async values(query: ValuesQuery, { signal }: WorkOptions): Promise<ValueCounts> {
    const { columns, arrangement } = this.#views.current;
    if (query.column >= columns.length) throw misuse('no_such_column', 'The table has no such column.');
    const { project, table } = this.#request;
    const { sql, params } = valuesStatement({ table: table.name, columns, arrangement }, query);
    const { type } = columns[query.column]!;
    const counts = await project.query(sql, params, { signal, decode: row => valueCountOf(row, type) });
    const values = counts
      .filter(({ text }) => text === null || text.length <= maxValueLength)
      .slice(0, query.maxValues);
    return { values, ...(values.length < counts.length && { hasMore: true }) };
  }

  async profile({ columns: numbers }: ProfileQuery, options: WorkOptions): Promise<ColumnProfile[]> {
    const { columns, arrangement } = this.#views.current;
    const { project, table } = this.#request;
    const profiles: ColumnProfile[] = [];
    for (const column of numbers.filter(number => number < columns.length)) {
      const { signal } = options;
      const profile = await tableProfile({ project, table: table.name, columns, arrangement, column, signal });
      const top = await this.values({ column, search: '', maxValues: maxTopValues }, options);
      profiles.push({ ...profile, top });
    }
    return profiles;
  }

  async *text(request: TextRequest, options: WorkOptions): AsyncGenerator<Uint8Array, void, undefined> {
    await using download = await this.#download(request, { ...options, maxRows: maxCopiedRows });
    yield* download.queries.text({ ...request, ranges: download.ranges }, afterDownload(options));
  }

  async writeSqliteFile(request: SqliteFileRequest, options: WorkOptions): Promise<void> {
    await using download = await this.#download(request, { ...options, maxRows: maxCopiedRows });
    await download.queries.writeSqliteFile({ ...request, ranges: download.ranges }, afterDownload(options));
  }

  async #download(
    { ranges, allRows = false, unfiltered = false }: Pick<TextRequest, 'ranges' | 'unfiltered' | 'allRows'>,
    { maxRows, ...options }: WorkOptions & { readonly maxRows: number },
  ) {
    const statement = unfiltered ? unsortedStatement(this.#request.table) : this.statement;
    const download = await openDownload(this.#request, this.#views.current);
    try {
      const downloaded = allRows
        ? await download.streamTable(statement, ranges[0]?.columns ?? [], options)
        : await download.fetchRanges(ranges, maxRows, options);
      return { ...download, ranges: downloaded };
    } catch (thrown) {
      await download[Symbol.asyncDispose]();
      throw thrown;
    }
  }
}

function valueCountOf(row: Row, type: string): ValueCount {
  const value = tagValue(row['value']);
  const count = Number(row['rows']);
  if (value.kind === 'null') return { text: null, count };
  const text = textOf(value);
  return { text: value.kind === 'text' && isBlobType(type) ? blobFilterText(text) : text, count };
}
