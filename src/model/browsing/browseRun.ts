import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { isAbort } from '../../base/errors.ts';
import {
  type Arrangement,
  type CellRange,
  type FindStep,
  type Found,
  type Summary,
} from '../../protocol/rowQueries.ts';
import type { RunState } from '../../protocol/runState.ts';
import { type Column, type ShownValue, shownValue, type TaggedValue } from '../../wire/values.ts';
import type { RowQueries, SqliteFileRequest, TextRequest, WorkOptions } from '../results/rowQueries.ts';
import type { Run, RunControls, RunWait } from '../results/run.ts';
import type { BrowseRequest } from './browseRequest.ts';
import type { Statement } from './rowSource.ts';
import { valueIn } from './findInRows.ts';
import type { BrowsedTable } from './tableKey.ts';
import { TableQuestions } from './tableQuestions.ts';
import type { TableLook } from './tableLook.ts';
import { TableLooks, type TurnOptions } from './tableLooks.ts';

/** What takes no longer than this needs no word. */
const patienceMs = 1000;

/** The rows of a table, page by page, as somebody looks at them: in the service's order, or in one that it is asked for. */
export class BrowseRun implements Run, RowQueries, RunControls {
  readonly #request: BrowseRequest;
  readonly #changes = new Emitter<void>();
  readonly #questions: TableQuestions;
  readonly #looks: TableLooks;
  readonly #waiting: Disposable;
  #beginning = true;
  /** Set while rows may be there, but not yet as they are to be shown. */
  #hiding: AbortController | undefined;
  /** How much somebody waits for that has not come for a while. */
  #late = 0;
  #counting: AbortController | undefined;
  #counted = false;
  /** Where somebody looked last. */
  #place: number;
  #startedAt: number;
  #elapsedMs = 0;

  readonly onChange = this.#changes.on;
  constructor(request: BrowseRequest) {
    this.#request = request;
    this.#startedAt = request.now();
    this.#place = request.start ?? 0;
    this.#looks = new TableLooks(request, () => this.#changes.fire());
    this.#waiting = request.waits.onChange(() => this.#changes.fire());
    this.#questions = new TableQuestions(request, () => this.#look);
  }

  get #look(): TableLook {
    return this.#looks.current;
  }

  get queries(): RowQueries {
    return this;
  }

  get controls(): RunControls {
    return this;
  }

  get table(): BrowsedTable {
    return this.#request.table;
  }

  /** Pages come and go all the time. That it is running is told of those that keep somebody waiting. */
  get state(): RunState {
    if (this.#beginning || this.#hiding || this.#late > 0 || this.wait) return 'running';
    const { fault, hasEnd } = this.#look.pages;
    if (fault) return isAbort(fault.thrown) ? 'cancelled' : 'failed';
    return hasEnd ? 'done' : 'more';
  }

  get error(): unknown {
    return this.#look.pages.fault?.thrown;
  }

  get wait(): RunWait | undefined {
    const { waits } = this.#request;
    const remainingMs = waits.leftMs;
    if (remainingMs === undefined) return undefined;
    return {
      remainingMs,
      cancel: () => waits.giveUp(),
    };
  }

  get columns(): readonly Column[] {
    return this.#hiding ? [] : this.#look.columns;
  }

  get rowCount(): number {
    return this.#hiding ? 0 : this.#look.pages.rowCount;
  }

  get shownRows(): number {
    return this.rowCount;
  }

  /** How long the rows took that were seen first, in this order. */
  get elapsedMs(): number {
    return this.#beginning ? this.#request.now() - this.#startedAt : this.#elapsedMs;
  }

  get orderVersion(): number {
    return this.#looks.order;
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
  async start(): Promise<void> {
    this.#beginning = true;
    this.#startedAt = this.#request.now();
    await this.#looks.begin(this.#place);
    this.#elapsedMs = this.#request.now() - this.#startedAt;
    this.#beginning = false;
    this.#changes.fire();
  }

  /**
   * The same for rows that are arranged from the beginning: until they are, none is there. Rejects when they cannot be
   * arranged, and they stand in the service's order then.
   */
  async runArranged(arrangementOf: (columns: readonly Column[]) => Arrangement, row: number): Promise<void> {
    const hiding = new AbortController();
    this.#hiding = hiding;
    const { signal } = hiding;
    try {
      await this.start();
      signal.throwIfAborted();
      const { columns } = this.#look;
      if (columns.length > 0) await this.arrange(arrangementOf(columns), { row, signal });
    } finally {
      this.#hiding = undefined;
      this.#changes.fire();
    }
  }

  /** Asks again for what could not be had. Faults do not reject, as in {@link start}. */
  async retry(): Promise<void> {
    await (this.columns.length === 0 ? this.start() : this.#awaited(this.#look.pages.retry()));
  }

  async rows(start: number, count: number): Promise<ShownValue[][]> {
    this.#place = start;
    const look = this.#look;
    const end = Math.min(start + count, look.pages.rowCount);
    look.pages.looksAt(start, end);
    try {
      const rows = await this.#awaited(look.pages.rows(start, end));
      const names = look.columns.map(({ name }) => name);
      return rows.map(row => names.map(name => shownValue(valueIn(row, name))));
    } catch (thrown) {
      // Another look has taken its place, and ended what was under way for this one.
      if (look !== this.#look) return this.rows(start, count);
      throw thrown;
    }
  }

  cell(row: number, column: number): Promise<TaggedValue> {
    return this.#questions.cell(row, column);
  }

  /** Sees to it that a row is there, and gives its place: the last row's where the table is not that long. */
  async jump(row: number): Promise<number> {
    const { pages } = this.#look;
    await this.#awaited(pages.load(row));
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
    await this.#timed(this.#awaited(this.#looks.refresh({ row: this.#place })));
  }

  /**
   * `row` is the one to be there at once, the first unless somebody was elsewhere before. Who asks for it shows that it is
   * under way.
   */
  async arrange(arrangement: Arrangement, options: Partial<WorkOptions & TurnOptions> = {}): Promise<void> {
    await this.#timed(this.#looks.arrange(arrangement, { row: 0, ...options }));
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

  /** Ends what is under way. The rows that came stay, and others are asked for when somebody looks there. */
  cancel(): void {
    this.#hiding?.abort();
    this.#looks.stopTurning();
    this.#counting?.abort();
    this.#look.pages.giveUp();
  }

  async dispose(): Promise<void> {
    this.cancel();
    this.#waiting.dispose();
    const { pages } = this.#look;
    pages.stop();
    await pages.settled();
    this.#changes.dispose();
  }

  async #timed(turning: Promise<void>): Promise<void> {
    const startedAt = this.#request.now();
    await turning;
    this.#beginning = false;
    this.#elapsedMs = this.#request.now() - startedAt;
    this.#changes.fire();
    // What was known of the table's end is wanted of these rows as well. That it cannot be said keeps no row away.
    if (this.#counted) void this.countAll().catch(() => undefined);
  }

  /** Work that somebody waits for: it is told of when it takes long, so that it can be ended. */
  async #awaited<T>(work: Promise<T>): Promise<T> {
    let isLate = false;
    const count = (late: number): void => {
      this.#late += late;
      this.#changes.fire();
    };
    const stop = this.#request.after(patienceMs, () => {
      isLate = true;
      count(1);
    });
    try {
      return await work;
    } finally {
      stop();
      if (isLate) count(-1);
    }
  }
}
