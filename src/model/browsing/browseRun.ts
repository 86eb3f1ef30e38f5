import { Emitter } from '../../base/emitter.ts';
import { misuse } from '../../base/errors.ts';
import {
  type Arrangement,
  asTheyCame,
  type CellRange,
  type FindStep,
  type Found,
  type Summary,
} from '../../wire/rowQueries.ts';
import { type Column, type ShownValue, shownValue, type TaggedValue } from '../../wire/values.ts';
import type { CatalogColumn } from '../catalog/catalog.ts';
import type {
  QueriedRows,
  RowsRun,
  RunPhase,
  SqliteFileRequest,
  TextRequest,
  WorkOptions,
} from '../results/rowsRun.ts';
import type { BrowseRequest } from './browseRequest.ts';
import type { Statement } from './rowSource.ts';
import { valueIn } from './findInRows.ts';
import { type BrowsedTable, lastInOrder, primaryKeyOf } from './tableKey.ts';
import { TableQuestions } from './tableQuestions.ts';
import { TableLook, type TableLookOptions } from './tableLook.ts';

/** The rows of a table, page by page, as somebody looks at them: in the service's order, or in one that it is asked for. */
export class BrowseRun implements RowsRun, QueriedRows {
  readonly #request: BrowseRequest;
  readonly #changes = new Emitter<void>();
  readonly #questions: TableQuestions;
  #look: TableLook;
  #order = 0;
  #beginning = true;
  #fault: { readonly thrown: unknown } | undefined;
  #catalog: Promise<readonly CatalogColumn[]> | undefined;
  /** Set while the rows are put in another order, or are asked for again. */
  #turning: AbortController | undefined;
  #counting: AbortController | undefined;
  #counted = false;
  /** Where somebody looked last. */
  #place: number;
  #startedAt: number;
  #elapsedMs = 0;

  readonly onChange = this.#changes.on;
  readonly changed = undefined;
  /** The first page comes as a whole, so that `elapsedMs` says it. */
  readonly firstRowMs = undefined;
  /** A service does not tell how far it is. */
  readonly arranging = undefined;
  /** Pages come decoded, so that what they took is not known. */
  readonly bytes = 0;

  constructor(request: BrowseRequest) {
    this.#request = request;
    this.#startedAt = request.now();
    this.#place = request.start ?? 0;
    this.#look = this.#newLook({ arrangement: asTheyCame, columns: [], last: undefined, atLeast: 0 });
    this.#questions = new TableQuestions(request, () => this.#look);
  }

  get table(): BrowsedTable {
    return this.#request.table;
  }

  get phase(): RunPhase {
    if (this.#fault) return isAbort(this.#fault.thrown) ? 'cancelled' : 'failed';
    if (this.#beginning) return 'running';
    return this.#look.pages.hasEnd ? 'done' : 'more';
  }

  get error(): unknown {
    return this.#fault?.thrown;
  }

  get columns(): readonly Column[] {
    return this.#look.columns;
  }

  get rowCount(): number {
    return this.#look.pages.rowCount;
  }

  get shownRows(): number {
    return this.rowCount;
  }

  /** How long the rows took that were seen first, in this order. */
  get elapsedMs(): number {
    return this.#beginning ? this.#request.now() - this.#startedAt : this.#elapsedMs;
  }

  get order(): number {
    return this.#order;
  }

  get arrangement(): Arrangement {
    return this.#look.arrangement;
  }

  get counting(): boolean {
    return this.#counting !== undefined;
  }

  /** Whether the rows come by a statement, in an order that was asked for. */
  get byStatement(): boolean {
    return this.#look.statement !== undefined;
  }

  /** What gives all of the rows. */
  get statement(): Statement {
    return this.#questions.statement;
  }

  /** All rows are known of. */
  get hasEnd(): boolean {
    return this.#look.pages.hasEnd;
  }

  /** How many rows are known to have come twice; undefined where that cannot be noticed. */
  get repeated(): number | undefined {
    const { repeated } = this.#look;
    return repeated.noticed ? repeated.count : undefined;
  }

  repeatedIn(start: number, end: number): readonly number[] {
    return this.#look.repeatedIn(start, end);
  }

  /** Asks for the first page. Faults do not reject: they are the run's state, and asking again is possible. */
  async run(): Promise<void> {
    this.#fault = undefined;
    this.#startedAt = this.#request.now();
    await this.#look.pages.load(this.#place).catch(() => undefined);
    this.#elapsedMs = this.#request.now() - this.#startedAt;
    this.#beginning = false;
    this.#changes.fire();
  }

  async rows(start: number, count: number): Promise<ShownValue[][]> {
    this.#place = start;
    const { pages } = this.#look;
    const rows = await pages.rows(start, Math.min(start + count, pages.rowCount));
    const names = this.columns.map(({ name }) => name);
    return rows.map(row => names.map(name => shownValue(valueIn(row, name))));
  }

  cell(row: number, column: number): Promise<TaggedValue> {
    return this.#questions.cell(row, column);
  }

  /** Sees to it that a row is there, and gives its place: the last row's where the table is not that long. */
  async jump(row: number): Promise<number> {
    const { pages } = this.#look;
    await pages.load(row);
    return Math.max(0, Math.min(row, pages.rowCount - 1));
  }

  /** Has the service count the rows. Settles when it is known how many there are. */
  async countAll(): Promise<void> {
    this.#counting?.abort();
    const counting = new AbortController();
    this.#counting = counting;
    this.#changes.fire();
    try {
      await this.#look.pages.countAll(counting.signal);
      this.#counted = true;
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

  /** Asks for the rows again and keeps the place. Until they come, those that were there stay. */
  async refresh(): Promise<void> {
    this.#catalog = undefined;
    const { arrangement, columns, statement } = this.#look;
    await this.#turn(this.#place, async () => {
      const last = statement && (await this.#last());
      return this.#newLook({ arrangement, columns, last, atLeast: this.rowCount });
    });
  }

  /** `row` is the one to be there at once, the first unless somebody was elsewhere before. */
  async arrange(arrangement: Arrangement, options: Partial<WorkOptions> & { row?: number } = {}): Promise<void> {
    const { columns } = this;
    if ([...arrangement.sort, ...arrangement.filters].some(({ column }) => column >= columns.length)) {
      throw misuse('no_such_column', 'The table has no such column.');
    }
    const isPlain = arrangement.sort.length + arrangement.filters.length === 0;
    const arranging = this.#turn(options.row ?? 0, async () => {
      const last = isPlain ? undefined : await this.#last();
      return this.#newLook({ arrangement, columns, last, atLeast: 0 });
    });
    const turning = this.#turning;
    options.signal?.addEventListener('abort', () => turning?.abort(), { once: true });
    await arranging;
  }

  find(step: FindStep): Promise<Found> {
    return this.#questions.find(step);
  }

  summarize(ranges: readonly CellRange[], options: WorkOptions): Promise<Summary> {
    return this.#questions.summarize(ranges, options);
  }

  text(request: TextRequest, options: WorkOptions): AsyncIterable<Uint8Array> {
    return this.#questions.text(request, options);
  }

  writeSqliteFile(request: SqliteFileRequest, options: WorkOptions): Promise<void> {
    return this.#questions.writeSqliteFile(request, options);
  }

  cancel(): void {
    this.#turning?.abort();
    this.#counting?.abort();
    if (this.#beginning) this.#look.pages.stop();
  }

  async dispose(): Promise<void> {
    this.cancel();
    const { pages } = this.#look;
    pages.stop();
    await pages.settled();
    this.#changes.dispose();
  }

  #newLook(options: Pick<TableLookOptions, 'arrangement' | 'columns' | 'last' | 'atLeast'>): TableLook {
    const look: TableLook = new TableLook({
      ...options,
      request: this.#request,
      key: () => this.#key(),
      onChange: fault => {
        if (look === this.#look) this.#changed(fault);
      },
    });
    return look;
  }

  /** Looks at the table in another way once the page of a row is there; a later turn ends an earlier one. */
  async #turn(row: number, make: () => Promise<TableLook>): Promise<void> {
    this.#turning?.abort();
    const turning = new AbortController();
    const { signal } = turning;
    const startedAt = this.#request.now();
    this.#turning = turning;
    this.#changes.fire();
    try {
      const look = await make();
      signal.throwIfAborted();
      signal.addEventListener('abort', () => look.pages.stop(), { once: true });
      await look.pages.load(row);
      signal.throwIfAborted();
      this.#look.pages.stop();
      this.#look = look;
      this.#order++;
      [this.#beginning, this.#fault] = [false, undefined];
      this.#elapsedMs = this.#request.now() - startedAt;
    } finally {
      if (this.#turning === turning) this.#turning = undefined;
      this.#changes.fire();
    }
    // What was known of the table's end is wanted of these rows as well. That it cannot be said keeps no row away.
    if (this.#counted) void this.countAll().catch(() => undefined);
  }

  #changed(fault: unknown): void {
    this.#fault = fault === undefined ? undefined : { thrown: fault };
    this.#changes.fire();
  }

  #columnsOfCatalog(): Promise<readonly CatalogColumn[]> {
    this.#catalog ??= this.#request.columns();
    return this.#catalog;
  }

  async #last(): Promise<readonly string[]> {
    return lastInOrder(this.#request.table, await this.#columnsOfCatalog());
  }

  /** Without an answer of the catalog there are no marks, which is no fault of the rows. */
  async #key(): Promise<readonly string[]> {
    if (this.#request.table.kind === 'view') return [];
    return this.#columnsOfCatalog().then(primaryKeyOf, () => []);
  }
}

const isAbort = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'AbortError';
