import { Emitter } from '../../base/emitter.ts';
import type { BrowsePage, Pager, Project } from '../../client/index.ts';
import { type Column, type Row, shownValue, type ShownValue } from '../../wire/values.ts';
import type { RowsRun, RunPhase } from './rowsRun.ts';

export interface BrowseRequest {
  readonly project: Pick<Project, 'browse'>;
  /** Made by the caller, who has the client's code; it asks for the pages in order. */
  readonly pager: Pager;
  readonly now: () => number;
}

/** Pages that are kept. Whoever scrolls back further asks the service for them again. */
const mostPages = 20;

/** The rows of a table, page by page, as somebody looks at them. The next page is asked for before its rows are wanted. */
export class BrowseRun implements RowsRun {
  readonly #request: BrowseRequest;
  /** Where each page begins that came. A service may give fewer rows than it is asked for. */
  readonly #starts: number[] = [];
  readonly #controller = new AbortController();
  readonly #changes = new Emitter<void>();
  /** By number, in the order of their last use. */
  readonly #pages = new Map<number, Promise<readonly Row[]>>();
  #phase: RunPhase = 'running';
  #error: unknown;
  #columns: readonly Column[] = [];
  #rowCount = 0;
  #startedAt = 0;
  #elapsedMs = 0;
  #firstRowMs: number | undefined;
  #fetching: Promise<void> | undefined;

  readonly onChange = this.#changes.on;
  readonly changed = undefined;

  constructor(request: BrowseRequest) {
    this.#request = request;
    this.#startedAt = request.now();
  }

  get phase(): RunPhase {
    return this.#phase;
  }

  get error(): unknown {
    return this.#error;
  }

  get columns(): readonly Column[] {
    return this.#columns;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** How long the latest page took. */
  get elapsedMs(): number {
    return this.#phase === 'running' ? this.#request.now() - this.#startedAt : this.#elapsedMs;
  }

  get firstRowMs(): number | undefined {
    return this.#firstRowMs;
  }

  /** Pages come decoded, so that what they took is not known. */
  get bytes(): number {
    return 0;
  }

  run(): Promise<void> {
    return this.#next();
  }

  async rows(start: number, count: number): Promise<ShownValue[][]> {
    const end = Math.min(start + count, this.#rowCount);
    if (end + this.#request.pager.limit > this.#rowCount) void this.#next();
    const found: Row[] = [];
    for (let number = this.#numberOf(start); number < this.#starts.length && start + found.length < end; number++) {
      const from = start + found.length - this.#starts[number]!;
      const rows = await this.#page(number);
      found.push(...rows.slice(from, from + end - start - found.length));
      // The table shrank meanwhile, so that what follows would not stand where it stood.
      if (rows.length < this.#sizeOf(number)) break;
    }
    const names = this.#columns.map(({ name }) => name);
    return found.map(row => names.map(name => shownValue(Object.hasOwn(row, name) ? row[name] : undefined)));
  }

  cancel(): void {
    this.#controller.abort();
  }

  async dispose(): Promise<void> {
    this.cancel();
    await this.#fetching;
    this.#changes.dispose();
    this.#pages.clear();
  }

  /** Asks for the page behind the last one, unless it is on its way or there is none. After a fault it asks again. */
  #next(): Promise<void> {
    if (this.#phase === 'done' || this.#phase === 'cancelled') return Promise.resolve();
    this.#fetching ??= this.#fetch().finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    const { pager, now } = this.#request;
    const { signal } = this.#controller;
    this.#startedAt = now();
    // A page behind those that are there comes unseen: nothing is to be stopped, and nobody waits.
    if (this.#rowCount === 0) this.#become('running');
    try {
      const rows = await pager.next(signal);
      this.#take(rows ?? []);
      // A page that is not full is most likely the last one.
      if (rows && rows.length < pager.limit) this.#take((await pager.next(signal)) ?? []);
      this.#elapsedMs = now() - this.#startedAt;
      this.#become(pager.done ? 'done' : 'more');
    } catch (thrown) {
      this.#error = thrown;
      this.#elapsedMs = now() - this.#startedAt;
      this.#become(signal.aborted ? 'cancelled' : 'failed');
    }
  }

  #take(rows: readonly Row[]): void {
    this.#columns = this.#request.pager.columns ?? this.#columns;
    if (rows.length === 0) return;
    this.#firstRowMs ??= this.#request.now() - this.#startedAt;
    this.#starts.push(this.#rowCount);
    this.#keep(this.#starts.length - 1, Promise.resolve(rows));
    this.#rowCount += rows.length;
  }

  /** The number of the page that a row stands on. */
  #numberOf(row: number): number {
    const after = this.#starts.findIndex(start => start > row);
    return Math.max(0, (after === -1 ? this.#starts.length : after) - 1);
  }

  #sizeOf(number: number): number {
    return (this.#starts[number + 1] ?? this.#rowCount) - this.#starts[number]!;
  }

  #become(phase: RunPhase): void {
    this.#phase = phase;
    this.#changes.fire();
  }

  #page(number: number): Promise<readonly Row[]> {
    const page = this.#pages.get(number) ?? this.#again(number);
    this.#keep(number, page);
    return page;
  }

  async #again(number: number): Promise<readonly Row[]> {
    const { project, pager } = this.#request;
    const options = { limit: this.#sizeOf(number), offset: this.#starts[number]!, signal: this.#controller.signal };
    const page: BrowsePage = await project.browse(pager.table, options);
    return page.rows;
  }

  #keep(number: number, page: Promise<readonly Row[]>): void {
    this.#pages.delete(number);
    this.#pages.set(number, page);
    page.catch(() => this.#pages.delete(number));
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= mostPages) break;
      this.#pages.delete(oldest);
    }
  }
}
