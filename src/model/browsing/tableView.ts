import type { BoundSql } from '../boundSql.ts';
import { misuse } from '../../base/errors.ts';
import type { Arrangement } from '../../protocol/rowQueries.ts';
import type { Column } from '../../wire/values.ts';
import { countBy } from '../catalog/catalogQueries.ts';
import { moveArrangement } from '../results/rowQueries.ts';
import type { BrowseRequest } from './browseRequest.ts';
import { KeyedPages } from './keyedPages.ts';
import { KeysetPages } from './keysetPages.ts';
import { KeysetStatements } from './keysetStatements.ts';
import { PageCache } from './pageCache.ts';
import { endpointPages, type PageChunk, type PageSource, statementPages } from './pageSource.ts';
import { arrangedStatement, countStatement } from './tableStatements.ts';

export interface TableViewOptions {
  readonly request: BrowseRequest;
  readonly arrangement: Arrangement;
  /** The columns that the arrangement refers to, as far as they are known. */
  readonly columns: readonly Column[];
  /** The columns that end the order; undefined for the service's own order. */
  readonly tieBreakers?: readonly string[];
  /** The columns as the catalog knows them, if they were requested. */
  readonly declaredColumns?: readonly Column[];
  /** Whether the grid shows these columns already, so that they must stay. */
  readonly keepsColumns: boolean;
  readonly minRowCount: number;
  /** Whether `minRowCount` is the number of all rows of the view. */
  readonly isWholeCount: boolean;
  readonly onFirstRows: () => void;
  readonly onChange: () => void;
}

export class TableView {
  /** Selects all rows of the view; undefined in the service's own order. */
  readonly statement: BoundSql | undefined;
  readonly pages: PageCache;
  readonly #options: TableViewOptions;
  #arrangement: Arrangement;
  #columns: readonly Column[];
  #hasReceived = false;

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
      onChunk: chunk => this.#receive(chunk),
      onChange,
    });
  }

  get arrangement(): Arrangement {
    return this.#arrangement;
  }

  get columns(): readonly Column[] {
    return this.#columns;
  }

  /** Throws unless these are the columns of the view, in any order. */
  checkColumns(columns: readonly Column[]): void {
    if (!inOrderOf(this.#columns, columns)) throw columnsChanged();
  }

  #receive({ columns }: PageChunk): void {
    const isFirst = !this.#hasReceived;
    this.#hasReceived = true;
    if (isFirst) this.#options.onFirstRows();
    if (!columns) return;
    const before = this.#columns;
    const areFixed = before.length > 0 && (!isFirst || this.#options.keepsColumns);
    const received = areFixed ? inOrderOf(before, columns) : columns;
    if (!received) throw columnsChanged();
    this.#columns = received;
    this.#arrangement = moveArrangement(this.#arrangement, before, received);
  }
}

/** An SQL view is computed anew for each page, so keyset pages would save nothing. */
function pageSourceOf(options: TableViewOptions, statement: BoundSql | undefined): PageSource {
  const { request, arrangement, columns, tieBreakers, declaredColumns = [] } = options;
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
