import { misuse } from '../../base/errors.ts';
import { type Lazy, lazy } from '../../base/lazy.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import { type Arrangement, isArranged, unsorted } from '../../protocol/rowQueries.ts';
import type { Column } from '../../wire/values.ts';
import { type CatalogColumn, isMissingEndpoint } from '../catalog/catalog.ts';
import { primaryKeyOf } from '../catalog/primaryKey.ts';
import type { BrowseRequest } from './browseRequest.ts';
import { remainingColumns, tieBreakersOf, withDeclaredTypes } from './browsedTable.ts';
import { moveArrangement } from '../results/rowQueries.ts';
import { TableView, type TableViewOptions } from './tableView.ts';

export interface SwitchOptions {
  /** The row whose page must arrive before the view is shown. */
  readonly row: number;
  readonly signal?: AbortSignal;
}

interface ViewListeners {
  readonly onChange: () => void;
  readonly onSwitch: () => void;
}

/** The view of a table that is shown, and the switch to another one. The current view stays until the next one has rows. */
export class TableViews {
  readonly #request: BrowseRequest;
  readonly #listeners: ViewListeners;
  #current: TableView;
  #orderVersion = 0;
  /** How many rows pass the filters of views that were read or counted to their end. Sorting does not change it. */
  readonly #totals = new Map<string, number>();
  #switching: AbortController | undefined;
  #catalogColumns: Lazy<readonly CatalogColumn[]>;
  #declaredColumns: readonly CatalogColumn[] = [];
  #openedAt: number;
  #isOpening = true;
  #elapsedMs = 0;
  /** Without a browse endpoint, a statement gives the rows in every order. */
  #hasEndpoint = true;

  constructor(request: BrowseRequest, listeners: ViewListeners) {
    this.#request = request;
    this.#listeners = listeners;
    this.#catalogColumns = lazy(() => this.#fetchCatalogColumns());
    this.#openedAt = request.clock.now();
    this.#current = this.#create({ arrangement: unsorted, columns: [], ...unknownCount, keepsColumns: false });
  }

  get current(): TableView {
    return this.#current;
  }

  /** The columns as the catalog knows them; empty until they are requested. */
  get declaredColumns(): readonly CatalogColumn[] {
    return this.#declaredColumns;
  }

  get orderVersion(): number {
    return this.#orderVersion;
  }

  get isOpening(): boolean {
    return this.#isOpening;
  }

  get elapsedMs(): number {
    return this.#isOpening ? this.#request.clock.now() - this.#openedAt : this.#elapsedMs;
  }

  /** Fetches the page of a row in the first view. Faults do not reject: they are those of the pages. */
  async open(row: number): Promise<void> {
    this.#isOpening = true;
    this.#openedAt = this.#request.clock.now();
    try {
      await loadNear(this.#current, row);
    } catch (thrown) {
      if (this.#hasEndpoint && isMissingEndpoint(thrown)) await this.#openByStatement(row);
    }
    this.#finishLoad(this.#openedAt);
  }

  /** Fetches the shown view again, without the terms of columns that the table no longer has. */
  async refresh(options: SwitchOptions): Promise<void> {
    this.#catalogColumns = lazy(() => this.#fetchCatalogColumns());
    this.#totals.clear();
    const { arrangement, columns, statement, pages } = this.#current;
    await this.#switchView(options, async () => {
      const remaining = statement ? remainingColumns(columns, await this.#catalogColumns()) : columns;
      return this.#createArranged({
        arrangement: moveArrangement(arrangement, columns, remaining),
        columns: remaining,
        minRowCount: pages.rowCount,
        isWholeCount: false,
        keepsColumns: false,
      });
    });
  }

  async arrange(arrangement: Arrangement, options: SwitchOptions): Promise<void> {
    const { columns, pages } = this.#current;
    if (pages.hasEnd) this.#totals.set(filterKey(this.#current.arrangement), pages.rowCount);
    const total = this.#totals.get(filterKey(arrangement));
    const count = total === undefined ? unknownCount : { minRowCount: total, isWholeCount: true };
    if ([...arrangement.sort, ...arrangement.filters].some(({ column }) => column >= columns.length)) {
      throw misuse('no_such_column', 'The table has no such column.');
    }
    await this.#switchView(options, () => this.#createArranged({ arrangement, columns, ...count, keepsColumns: true }));
  }

  async sortByKey(): Promise<void> {
    const primaryKey = primaryKeyOf(await this.#catalogColumns());
    const { columns, arrangement } = this.#current;
    const sort = primaryKey.map(name => ({
      column: columns.findIndex(column => column.name === name),
      descending: false,
    }));
    if (sort.length === 0 || sort.some(({ column }) => column < 0)) {
      throw misuse('no_primary_key', 'The table has no primary key.');
    }
    await this.arrange({ ...arrangement, sort }, { row: 0 });
  }

  cancelSwitch(): void {
    this.#switching?.abort();
  }

  /** If the statement cannot even be written, the first view and its fault stay. */
  async #openByStatement(row: number): Promise<void> {
    try {
      const { arrangement, columns } = this.#current;
      const ordered = await this.#orderedColumns(columns);
      const view = this.#create({ arrangement, ...ordered, ...unknownCount, keepsColumns: false });
      this.#hasEndpoint = false;
      this.#current = view;
      await loadNear(view, row);
    } catch {
      // The fault of the shown view says why there are no rows.
    }
  }

  /** A later switch cancels an earlier one. */
  async #switchView(options: SwitchOptions, createView: () => Promise<TableView>): Promise<void> {
    const startedAt = this.#request.clock.now();
    this.#switching?.abort();
    const switching = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, switching.signal]) : switching.signal;
    this.#switching = switching;
    // Later switches use the catalog's answer too, so an abort does not cancel it.
    const view = await untilAborted(createView(), signal);
    const close = (): void => view.pages.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      signal.throwIfAborted();
      await loadNear(view, options.row);
      signal.throwIfAborted();
    } catch (thrown) {
      close();
      throw thrown;
    } finally {
      signal.removeEventListener('abort', close);
    }
    this.#current.pages.close();
    this.#current = view;
    this.#orderVersion++;
    this.#finishLoad(startedAt);
    this.#listeners.onSwitch();
  }

  #finishLoad(startedAt: number): void {
    this.#isOpening = false;
    this.#elapsedMs = this.#request.clock.now() - startedAt;
    this.#listeners.onChange();
  }

  /** A view by a statement, unless the service's own order is enough. */
  async #createArranged(
    options: Pick<TableViewOptions, 'arrangement' | 'columns' | 'minRowCount' | 'isWholeCount' | 'keepsColumns'>,
  ): Promise<TableView> {
    const needsStatement = isArranged(options.arrangement) || !this.#hasEndpoint;
    return this.#create({ ...options, ...(needsStatement && (await this.#orderedColumns(options.columns))) });
  }

  #create(options: Omit<TableViewOptions, 'request' | 'onFirstRows' | 'onChange'>): TableView {
    const view: TableView = new TableView({
      ...options,
      request: this.#request,
      onFirstRows: () => this.#showKeys(),
      onChange: () => {
        if (view === this.#current) this.#listeners.onChange();
      },
    });
    this.#request.overlay.startReading(view.pages);
    return view;
  }

  /** The columns with their declared types, and the tie breakers: a statement is written from both. */
  async #orderedColumns(
    columns: readonly Column[],
  ): Promise<Pick<TableViewOptions, 'columns' | 'tieBreakers' | 'declaredColumns'>> {
    const declaredColumns = await this.#catalogColumns();
    return {
      columns: withDeclaredTypes(columns, declaredColumns),
      tieBreakers: tieBreakersOf(this.#request.table, declaredColumns),
      declaredColumns,
    };
  }

  async #fetchCatalogColumns(): Promise<readonly CatalogColumn[]> {
    this.#declaredColumns = await this.#request.columns();
    return this.#declaredColumns;
  }

  /** Rows do not wait for the catalog. Until it answers, no column is shown as a key. */
  #showKeys(): void {
    if (this.#request.table.kind === 'view') return;
    this.#catalogColumns().then(this.#listeners.onChange, () => undefined);
  }
}

const unknownCount = { minRowCount: 0, isWholeCount: false };

const filterKey = ({ filters, search }: Arrangement): string => JSON.stringify([filters, search]);

/** Loads the page of a row, or the last page if the table is shorter now: some services name columns only with rows. */
async function loadNear({ pages }: TableView, row: number): Promise<void> {
  await pages.load(row);
  if (row >= pages.rowCount) await pages.load(Math.max(0, pages.rowCount - 1));
}
