import { misuse } from '../../base/errors.ts';
import type { Arrangement } from '../../protocol/rowQueries.ts';
import type { Column } from '../../wire/values.ts';
import { countBy } from '../catalog/catalogQueries.ts';
import { moveArrangement } from '../results/moveArrangement.ts';
import type { BrowseRequest } from './browseRequest.ts';
import { KeyedPages } from './keyedPages.ts';
import { KeysetPages } from './keysetPages.ts';
import { KeysetStatements } from './keysetStatements.ts';
import { PageCache } from './pageCache.ts';
import { endpointPages, type PageChunk, type PageSource, statementPages } from './pageSource.ts';
import { RepeatedRows } from './repeatedRows.ts';
import type { TablePage } from './tablePage.ts';
import { arrangedStatement, type TableStatement, countStatement } from './tableStatements.ts';

/** How long rows wait for the primary key, which is fetched after the first page. */
const maxKeyWaitMs = 1000;

export interface TableViewOptions {
  readonly request: BrowseRequest;
  readonly arrangement: Arrangement;
  /** The columns that the arrangement refers to, as far as they are known. */
  readonly columns: readonly Column[];
  /** The columns that end the order; undefined for the service's own order. */
  readonly tieBreakers: readonly string[] | undefined;
  /** The columns as the catalog knows them; empty if they were not requested. */
  readonly declaredColumns: readonly Column[];
  /** Whether the grid shows these columns already, so that they must stay. */
  readonly keepsColumns: boolean;
  /** How many rows the table had in the view before. */
  readonly minRowCount: number;
  /** Whether `minRowCount` is the number of all rows of the view. */
  readonly isWholeCount: boolean;
  /** Fetches the primary key, which is empty if there is none. Called when the first rows have arrived. */
  readonly fetchPrimaryKey: () => Promise<readonly string[]>;
  readonly onChange: () => void;
}

/** A browsed table in one arrangement, with its pages. */
export class TableView {
  /** Selects all rows of the view; undefined in the service's own order. */
  readonly statement: TableStatement | undefined;
  readonly pages: PageCache;
  readonly repeated = new RepeatedRows();
  readonly #options: TableViewOptions;
  #arrangement: Arrangement;
  #columns: readonly Column[];
  #primaryKey: Promise<void> | undefined;

  constructor(options: TableViewOptions) {
    const { request, arrangement, columns, tieBreakers, minRowCount, isWholeCount, onChange } = options;
    const { project, pageSize, table } = request;
    const arranged = { table: table.name, columns, arrangement };
    const count = countStatement(arranged);
    this.#options = options;
    this.#columns = columns;
    this.#arrangement = arrangement;
    this.statement = tieBreakers && arrangedStatement({ ...arranged, tieBreakers });
    this.pages = new PageCache({
      source: pageSourceOf(options, this.statement),
      pageSize,
      minRowCount,
      isWholeCount,
      countRows: async signal => Number(await countBy(project, count, signal)),
      onChunk: (page, chunk) => this.#receive(page, chunk),
      onChange,
      onDrop: page => this.repeated.dropPage(page),
    });
  }

  get arrangement(): Arrangement {
    return this.#arrangement;
  }

  get columns(): readonly Column[] {
    return this.#columns;
  }

  /** The rows of a range that have arrived twice. */
  repeatedIn(start: number, end: number): number[] {
    const { pageSize } = this.#options.request;
    const rows: number[] = [];
    for (let page = Math.floor(start / pageSize); page * pageSize < end; page++) {
      rows.push(...this.repeated.onPage(page).map(index => page * pageSize + index));
    }
    return rows.filter(row => row >= start && row < end);
  }

  /** Throws unless these are the columns of the view, in any order. */
  checkColumns(columns: readonly Column[]): void {
    if (!inOrderOf(this.#columns, columns)) throw columnsChanged();
  }

  async #receive(page: TablePage, { columns }: PageChunk): Promise<void> {
    const isFirst = this.#primaryKey === undefined;
    if (columns) this.#receiveColumns(columns, isFirst);
    // Show the first page at once: rows cannot repeat before there is a second one.
    this.#primaryKey ??= this.#learnPrimaryKey();
    if (!isFirst) await this.#primaryKey;
    this.repeated.addPage(page.number, page.rows);
  }

  #receiveColumns(columns: readonly Column[], isFirst: boolean): void {
    const before = this.#columns;
    const areFixed = before.length > 0 && (!isFirst || this.#options.keepsColumns);
    const received = areFixed ? inOrderOf(before, columns) : columns;
    if (!received) throw columnsChanged();
    this.#columns = received;
    this.#arrangement = moveArrangement(this.#arrangement, before, received);
  }

  /** Settles when repeated rows can be marked, or when rows have waited long enough for that. */
  #learnPrimaryKey(): Promise<void> {
    const { fetchPrimaryKey, request } = this.#options;
    const { promise: timeout, resolve } = Promise.withResolvers<void>();
    const cancelTimeout = request.clock.after(maxKeyWaitMs, resolve);
    const learned = fetchPrimaryKey().then(primaryKey => this.#trackRepeatedRows(primaryKey));
    return Promise.race([learned.finally(cancelTimeout), timeout]);
  }

  #trackRepeatedRows(primaryKey: readonly string[]): void {
    this.repeated.setPrimaryKey(primaryKey);
    for (const { number, rows } of this.pages.loadedPages) this.repeated.addPage(number, rows);
    this.#options.onChange();
  }
}

/** An SQL view is computed anew for each page, so keyset pages would save nothing. */
function pageSourceOf(options: TableViewOptions, statement: TableStatement | undefined): PageSource {
  const { request, arrangement, columns, tieBreakers, declaredColumns } = options;
  const { project, pagerAt, table } = request;
  if (!statement || !tieBreakers) {
    const endpoint = endpointPages(pagerAt);
    return table.kind === 'table' ? new KeyedPages({ project, table: table.name, endpoint }) : endpoint;
  }
  const arranged = { table: table.name, columns, arrangement, tieBreakers, declaredColumns };
  const keyset = table.kind === 'table' ? KeysetStatements.of(arranged) : undefined;
  return keyset ? new KeysetPages(project, keyset) : statementPages(project, statement);
}

const columnsChanged = (): Error =>
  misuse('columns_changed', 'The columns of the table have changed. Refresh to see them.');

/** The received columns in the order in which the grid shows them; undefined if they are others. */
function inOrderOf(shown: readonly Column[], received: readonly Column[]): readonly Column[] | undefined {
  const byName = new Map(received.map(column => [column.name, column]));
  const ordered = shown.flatMap(({ name }) => byName.get(name) ?? []);
  return ordered.length === shown.length && shown.length === received.length ? ordered : undefined;
}
