import { misuse } from '../../base/errors.ts';
import type { Arrangement } from '../../protocol/rowQueries.ts';
import type { Column } from '../../wire/values.ts';
import { countBy } from '../catalog/catalogQueries.ts';
import { arrangedStatement, countStatement } from './arrangedStatement.ts';
import type { BrowseRequest } from './browseRequest.ts';
import type { Page } from './page.ts';
import { RepeatedRows } from './repeatedRows.ts';
import { browsedRows, type PagePiece, type Statement, statementRows } from './rowSource.ts';
import { TablePages } from './tablePages.ts';

/** How long rows wait at most for the primary key, which is asked for behind the first page. */
const patienceMs = 1000;

export interface TableLookOptions {
  readonly request: BrowseRequest;
  readonly arrangement: Arrangement;
  /** As far as they are known; what the arrangement counts in. */
  readonly columns: readonly Column[];
  /** What the order ends in; undefined for the service's own order. */
  readonly last: readonly string[] | undefined;
  /** Whether it is shown in a grid that was made for the columns. */
  readonly keepsColumns: boolean;
  /** Rows that there are, for all that is known of earlier. */
  readonly atLeast: number;
  /** The primary key, or nothing where there is none. Asked when the first rows are there. */
  readonly key: () => Promise<readonly string[]>;
  readonly onChange: () => void;
}

/** One way to look at a table: its rows in one order, page by page, and which of them came twice. */
export class TableLook {
  /** What gives the rows, whole; undefined in the service's own order. */
  readonly statement: Statement | undefined;
  readonly pages: TablePages;
  readonly repeated = new RepeatedRows();
  readonly #options: TableLookOptions;
  #arrangement: Arrangement;
  #columns: readonly Column[];
  #keyAsked: Promise<void> | undefined;

  constructor(options: TableLookOptions) {
    const { request, arrangement, columns, last, atLeast, onChange } = options;
    const { project, pagerAt, pageSize, table } = request;
    const arranged = { table: table.name, columns, arrangement };
    const count = countStatement(arranged);
    this.#options = options;
    this.#columns = columns;
    this.#arrangement = arrangement;
    this.statement = last && arrangedStatement({ ...arranged, last });
    this.pages = new TablePages({
      ...{ pageSize, atLeast, onChange },
      source: this.statement ? statementRows(project, this.statement) : browsedRows(pagerAt),
      count: async signal => Number(await countBy(project, count, signal)),
      onPiece: (page, piece) => this.#take(page, piece),
      letGo: page => this.repeated.letGo(page),
    });
  }

  get arrangement(): Arrangement {
    return this.#arrangement;
  }

  get columns(): readonly Column[] {
    return this.#columns;
  }

  /** The rows of a range that came twice. */
  repeatedIn(start: number, end: number): number[] {
    const { pageSize } = this.#options.request;
    const found: number[] = [];
    for (let page = Math.floor(start / pageSize); page * pageSize < end; page++) {
      found.push(...this.repeated.placesOn(page).map(place => page * pageSize + place));
    }
    return found.filter(row => row >= start && row < end);
  }

  /** Throws when rows of these columns would not fit under those that are shown. */
  checkColumns(columns: readonly Column[]): void {
    if (!inOrderOf(this.#columns, columns)) throw columnsChanged();
  }

  async #take(page: Page, { columns }: PagePiece): Promise<void> {
    const isFirst = this.#keyAsked === undefined;
    if (columns) this.#takeColumns(columns, isFirst);
    // Nothing can be repeated before there is a second page, so that the first one is shown at once.
    this.#keyAsked ??= this.#askForKey();
    if (!isFirst) await this.#keyAsked;
    this.repeated.take(page.number, page.rows);
  }

  /** Settles when the key is known, since rows are shown with their marks, or when rows have waited enough for it. */
  #askForKey(): Promise<void> {
    const { key, request } = this.#options;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const stop = request.after(patienceMs, resolve);
    const known = key().then(found => this.#know(found));
    return Promise.race([known.finally(stop), late]);
  }

  #takeColumns(columns: readonly Column[], isFirst: boolean): void {
    const before = this.#columns;
    const isFixed = before.length > 0 && (!isFirst || this.#options.keepsColumns);
    const taken = isFixed ? inOrderOf(before, columns) : columns;
    if (!taken) throw columnsChanged();
    this.#columns = taken;
    this.#arrangement = byName(this.#arrangement, before, taken);
  }

  #know(key: readonly string[]): void {
    this.repeated.know(key);
    for (const { number, rows } of this.pages.loaded) this.repeated.take(number, rows);
    this.#options.onChange();
  }
}

const columnsChanged = (): Error =>
  misuse('columns_changed', 'The table has other columns than before. Refresh to see them.');

/** The same columns as they stand in a grid; undefined when they are others. A statement may give them in another order. */
function inOrderOf(before: readonly Column[], columns: readonly Column[]): readonly Column[] | undefined {
  const named = new Map(columns.map(column => [column.name, column]));
  const found = before.flatMap(({ name }) => named.get(name) ?? []);
  return found.length === before.length && before.length === columns.length ? found : undefined;
}

/** An arrangement counts columns. It means the same ones when they stand elsewhere. */
export function byName(
  { sort, filters }: Arrangement,
  before: readonly Pick<Column, 'name'>[],
  after: readonly Column[],
): Arrangement {
  const moved = <T extends { readonly column: number }>(terms: readonly T[]): T[] =>
    terms
      .map(term => ({ ...term, column: after.findIndex(({ name }) => name === before[term.column]?.name) }))
      .filter(({ column }) => column >= 0);
  return { sort: moved(sort), filters: moved(filters) };
}
