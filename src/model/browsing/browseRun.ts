import type { BoundSql } from '../boundSql.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { isAbort } from '../../base/errors.ts';
import type { Arrangement } from '../../protocol/rowQueries.ts';
import type { RunState } from '../../protocol/runState.ts';
import { maxShownColumns } from '../../protocol/results.ts';
import { isSameName } from '../../sql/text/names.ts';
import { type Reference, countBy } from '../catalog/catalogQueries.ts';
import { type ShownValue, shownValues } from '../../protocol/shownValues.ts';
import type { Column, Row } from '../../wire/values.ts';
import type { ColumnKey, ForeignKeyTarget, Run, RunControls } from '../results/run.ts';
import { type BrowsedTable, tieBreakersOf } from './browsedTable.ts';
import type { BrowseRequest } from './browseRequest.ts';
import { valueIn } from './findInRows.ts';
import { overlaidRows, type RowPlace } from './rowOverlay.ts';
import { TableQueries } from './tableQueries.ts';
import { countStatement } from './tableStatements.ts';
import type { TableView } from './tableView.ts';
import { TableViews } from './tableViews.ts';
import { inAnyRange } from './keysetRanges.ts';
import { KeysetStatements } from './keysetStatements.ts';

/** Report loading after this delay. */
const loadingDelayMs = 1000;
/** Work on rows lets other work run after this time. */
const maxTurnMs = 8;

/** The rows of a browsed table. Pages arrive as the user scrolls, in the service's order or in an arrangement. */
export class BrowseRun implements Run {
  readonly table: BrowsedTable;
  readonly queries: TableQueries;
  readonly controls: RunControls;
  readonly #request: BrowseRequest;
  readonly #changes = new Emitter<void>();
  readonly #views: TableViews;
  readonly #waitsListener: Disposable;
  readonly #overlayListener: Disposable;
  /** Set while rows are hidden until they are arranged. */
  #hiding: AbortController | undefined;
  /** The number of awaited loads that take longer than {@link loadingDelayMs}. */
  #slowLoads = 0;
  #counting: AbortController | undefined;
  #wasCounted = false;
  /** The first row that the grid read last. */
  #topRow: number;

  readonly onChange = this.#changes.on;

  constructor(request: BrowseRequest) {
    const { waits, overlay, start = 0 } = request;
    this.#request = request;
    this.table = request.table;
    this.#topRow = start;
    this.#views = new TableViews(request, {
      onChange: () => this.#changes.fire(),
      // If the user has counted the rows, those of the new view are counted too. A failure is ignored.
      onSwitch: () => {
        if (this.#wasCounted && !this.hasEnd) void this.countAll().catch(() => undefined);
      },
    });
    this.#waitsListener = waits.onChange(() => this.#changes.fire());
    this.#overlayListener = overlay.onChange(() => this.#changes.fire());
    this.queries = new TableQueries(request, this.#views, () => this.rowCount);
    this.controls = {
      get wait() {
        return waits.longest;
      },
      cancel: () => this.#cancel(),
    };
  }

  get #view(): TableView {
    return this.#views.current;
  }

  /** The new rows, which precede those of the table. An earlier window may have left some before the columns are known. */
  get #newRowCount(): number {
    return this.columns.length === 0 ? 0 : this.#request.overlay.newRows.length;
  }

  /** Prefetches and quick loads do not count as running. */
  get state(): RunState {
    if (this.#views.isOpening || this.#hiding || this.#slowLoads > 0 || this.controls.wait) return 'running';
    const { fault, hasEnd } = this.#view.pages;
    if (fault) return isAbort(fault.thrown) ? 'cancelled' : 'failed';
    return hasEnd ? 'done' : 'more';
  }

  get error(): unknown {
    return this.#view.pages.fault?.thrown;
  }

  get topRow(): number {
    return this.#topRow;
  }

  get columns(): readonly Column[] {
    return this.#hiding ? [] : this.#view.columns;
  }

  get rowCount(): number {
    return this.#hiding ? 0 : this.#newRowCount + this.#view.pages.rowCount;
  }

  get elapsedMs(): number {
    return this.#views.elapsedMs;
  }

  get isCounting(): boolean {
    return this.#counting !== undefined;
  }

  /** Whether a statement gives the rows, in a defined order, and not the browse endpoint. */
  get isByStatement(): boolean {
    return this.#view.statement !== undefined;
  }

  get statement(): BoundSql {
    return this.queries.statement;
  }

  get hasEnd(): boolean {
    return this.#view.pages.hasEnd;
  }

  keyOf(column: number): ColumnKey | undefined {
    const shown = this.columns[column];
    const declared = this.#views.declaredColumns.find(({ name }) => name === shown?.name);
    return declared && { isKey: declared.primaryKey > 0, references: this.#placed(declared.references) };
  }

  #placed(reference: Reference | undefined): ForeignKeyTarget | undefined {
    if (!reference?.parts) return reference && { table: reference.table, column: reference.column };
    const parts = reference.parts.map(({ column, target }) => ({
      column: this.columns.findIndex(({ name }) => isSameName(name, column)),
      target,
    }));
    return parts.some(({ column }) => column < 0) ? undefined : { ...reference, parts };
  }

  /** Fetches the page of a row. Faults do not reject: they are the run's state, and {@link retry} is possible. */
  async start(row = this.#topRow): Promise<void> {
    this.#topRow = row;
    await this.#views.open(this.#topRow);
  }

  /** Shows no row before the rows are arranged. If they cannot be arranged, this rejects and shows them in the service's order. */
  async startArranged(arrangementOf: (columns: readonly Column[]) => Arrangement, row: number): Promise<void> {
    const hiding = new AbortController();
    this.#hiding = hiding;
    const { signal } = hiding;
    try {
      await this.start(row);
      signal.throwIfAborted();
      const { columns } = this.#view;
      if (columns.length > 0) await this.#views.arrange(arrangementOf(columns), { row, signal });
    } finally {
      this.#hiding = undefined;
      this.#changes.fire();
    }
  }

  /** Fetches again what failed. Faults do not reject, as in {@link start}. */
  async retry(): Promise<void> {
    if (this.columns.length === 0) return this.start();
    await this.#reportIfSlow(this.#view.pages.retry());
  }

  async rows(start: number, count: number): Promise<ShownValue[][]> {
    const view = this.#view;
    try {
      const rows = await this.#fetchRows(start, Math.min(start + count, this.rowCount));
      const names = view.columns.slice(0, maxShownColumns).map(({ name }) => name);
      return await cellsOf(rows, names);
    } catch (thrown) {
      // Showing another view has cancelled the fetches of this one.
      if (view !== this.#view) return this.rows(start, count);
      throw thrown;
    }
  }

  /** The rows of the table with these numbers, as the service sent them; undefined for a new row. */
  async tableRows(rowNumbers: readonly number[]): Promise<(Row | undefined)[]> {
    const added = this.#newRowCount;
    const { pages } = this.#view;
    const { pageSize } = this.#request;
    const found: (Row | undefined)[] = [];
    while (found.length < rowNumbers.length) {
      const first = rowNumbers[found.length]!;
      if (first < added) {
        found.push(undefined);
        continue;
      }
      // Adjacent rows are read together.
      const count = rowNumbers
        .slice(found.length, found.length + pageSize)
        .findIndex((row, index) => row !== first + index);
      const length = count === -1 ? Math.min(pageSize, rowNumbers.length - found.length) : count;
      const fetched = await pages.rows(first - added, first - added + length);
      for (let index = 0; index < length; index++) found.push(fetched[index]);
    }
    return found;
  }

  findLoaded(
    isRow: (row: Row, number: number) => boolean,
  ): { readonly row: Row; readonly place: RowPlace } | undefined {
    for (const { number, rows } of this.#view.pages.loadedPages) {
      const first = number * this.#request.pageSize;
      const index = rows.findIndex((row, offset) => isRow(row, first + offset));
      if (index !== -1) return { row: rows[index]!, place: { view: this.#view.pages, number: first + index } };
    }
    return undefined;
  }

  placeAt(row: number): RowPlace {
    return { view: this.#view.pages, number: row - this.#newRowCount };
  }

  /** The number of a row of the table in the order shown. Undefined if the table no longer has it, or a filter hides it. */
  async placeOf(row: WantedRow): Promise<number | undefined> {
    const loaded = this.findLoaded(row.isRow)?.place.number;
    const place = loaded ?? (await this.#reportIfSlow(placeOfRow(this.#request, this.#views, row)));
    return place === undefined ? undefined : place + this.#newRowCount;
  }

  /** Loads a row and returns its number, or that of the last row in a shorter table. */
  async jump(row: number): Promise<number> {
    await this.#reportIfSlow(this.#view.pages.load(Math.max(0, row - this.#newRowCount)));
    return Math.max(0, Math.min(row, this.rowCount - 1));
  }

  /** Far rows of this order come as fast as the first ones. */
  async sortByKey(): Promise<void> {
    await this.#reportIfSlow(this.#views.sortByKey());
  }

  /** Fetches the rows in view again. The old rows stay until new ones arrive. */
  async refresh(): Promise<void> {
    await this.#reportIfSlow(this.#views.refresh({ row: this.#topRow }));
  }

  /** Has the service count the rows. A later call cancels an earlier one. */
  async countAll(): Promise<void> {
    this.#counting?.abort();
    const counting = new AbortController();
    this.#counting = counting;
    this.#changes.fire();
    try {
      await this.#view.pages.countAll(counting.signal);
      this.#wasCounted = true;
    } catch (thrown) {
      if (!isAbort(thrown)) throw thrown;
    } finally {
      if (this.#counting === counting) this.#counting = undefined;
      this.#changes.fire();
    }
  }

  stopCounting(): void {
    this.#counting?.abort();
  }

  async dispose(): Promise<void> {
    this.#cancel();
    this.#waitsListener.dispose();
    this.#overlayListener.dispose();
    const { pages } = this.#view;
    pages.close();
    await pages.settled();
    this.#changes.dispose();
  }

  async #fetchRows(start: number, end: number): Promise<Row[]> {
    const { pages } = this.#view;
    const { overlay } = this.#request;
    return overlaidRows(overlay, pages, start, end, (first, last) => {
      this.#topRow = first;
      pages.setViewport(first, last);
      return this.#reportIfSlow(pages.rows(first, last));
    });
  }

  /** Loaded rows stay, and others are fetched when they come into view. */
  #cancel(): void {
    this.#hiding?.abort();
    this.#views.cancelSwitch();
    this.#counting?.abort();
    this.#view.pages.cancel();
  }

  /** Reports loading if work that the user awaits is slow, so that the user can stop it. */
  async #reportIfSlow<T>(work: Promise<T>): Promise<T> {
    let isSlow = false;
    const cancelTimer = this.#request.clock.after(loadingDelayMs, () => {
      isSlow = true;
      this.#slowLoads++;
      this.#changes.fire();
    });
    try {
      return await work;
    } finally {
      cancelTimer();
      if (isSlow) {
        this.#slowLoads--;
        this.#changes.fire();
      }
    }
  }
}

/** The cells of rows, cut for the grid. Spelling large arrays and objects takes long, so other work gets turns. */
async function cellsOf(rows: readonly Row[], names: readonly string[]): Promise<ShownValue[][]> {
  const cells: ShownValue[][] = [];
  let turnStartedAt = performance.now();
  for (const row of rows) {
    if (performance.now() - turnStartedAt > maxTurnMs) {
      await nextTurn();
      turnStartedAt = performance.now();
    }
    cells.push(shownValues(names.map(name => valueIn(row, name))));
  }
  return cells;
}

interface WantedRow {
  readonly isRow: (row: Row) => boolean;
  readonly key: BoundSql;
  readonly serviceOrder: readonly string[];
}

/** Finds a row that is not loaded by counting the rows after it. Undefined if the row is gone, or filtered out. */
async function placeOfRow(
  { project, table }: BrowseRequest,
  { current: view, declaredColumns }: TableViews,
  { key, serviceOrder }: WantedRow,
): Promise<number | undefined> {
  const { columns, arrangement } = view;
  const arranged = { table: table.name, columns, arrangement };
  const tieBreakers = view.statement ? tieBreakersOf(table, declaredColumns) : serviceOrder;
  const statements = KeysetStatements.of({ ...arranged, tieBreakers, declaredColumns });
  if (!statements) return undefined;
  const select = statements.rows(key);
  const { rows } = await project.sql(`${select.sql}\nLIMIT 1`, [...select.params]);
  const orderKey = statements.keyOf(rows[0]);
  if (!orderKey) return undefined;
  const ranges = statements.rangesAfter({ row: 0, key: orderKey, tiedCount: 0 }).filter(range => range !== undefined);
  const countAfter = ranges.length === 0 ? 0n : await countBy(project, countStatement(arranged, [inAnyRange(ranges)]));
  return Number((await countBy(project, countStatement(arranged))) - countAfter) - 1;
}
