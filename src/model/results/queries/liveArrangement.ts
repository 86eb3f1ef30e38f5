import { type Clock, monotonicClock } from '../../../base/clock.ts';
import { Debouncer } from '../../../base/debouncer.ts';
import { ProjectError } from '../../../base/errors.ts';
import { type Arrangement, unsorted } from '../../../protocol/rowQueries.ts';
import { type Column, isBlobType } from '../../../wire/values.ts';
import { moveArrangement, type WorkOptions } from '../rowQueries.ts';
import type { ArrangedRows } from '../thread/arrange.ts';

/** Sorted and filtered rows, with views on their shared memory. */
export interface ArrangedView {
  readonly shared: ArrangedRows;
  readonly order: Uint32Array;
  readonly starts: Uint32Array;
}

export interface LiveArrangementParts {
  /** The keys of the first row at first. The end of the answer names the order and types of the columns. */
  readonly columns: () => readonly Column[];
  /** The rows of the result. The spool may hold more. */
  readonly rowCount: () => number;
  readonly mayGrow: () => boolean;
  readonly onChange: () => void;
  readonly clock?: Clock;
}

interface RequestedArrangement {
  readonly arrangement: Arrangement;
  readonly controller: AbortController;
  progress: number | undefined;
}

/** Rearranging takes at most a fifth of the time: each pass is followed by a rest that is four times as long. */
const restFactor = 4;
const minRestMs = 250;

/** Keeps rows sorted and filtered while more of them arrive. */
export abstract class LiveArrangement {
  readonly #parts: LiveArrangementParts;
  readonly #clock: Clock;
  readonly #refreshTimer: Debouncer;
  #arrangement = unsorted;
  #view: ArrangedView | undefined;
  #viewBlobColumns = '';
  #columns: readonly Column[] = [];
  #orderVersion = 0;
  /** Set while the user awaits an arrangement. */
  #requested: RequestedArrangement | undefined;
  /** Set while new rows are added to the arrangement. */
  #refreshing: AbortController | undefined;
  #lastDurationMs = 0;
  #disposed = false;

  constructor(parts: LiveArrangementParts) {
    const { mayGrow, clock = monotonicClock } = parts;
    this.#parts = parts;
    this.#clock = clock;
    this.#refreshTimer = new Debouncer({
      run: () => void this.#refresh(),
      delayMs: () => (mayGrow() ? Math.max(minRestMs, this.#lastDurationMs * restFactor) : 0),
      clock,
    });
  }

  get arrangement(): Arrangement {
    return this.#arrangement;
  }

  /** The arrangement that the user chose last, even while the rows are still arranged. */
  get wantedArrangement(): Arrangement {
    return this.#requested?.arrangement ?? this.#arrangement;
  }

  /** Undefined while the rows are unsorted and unfiltered. */
  protected get view(): ArrangedView | undefined {
    return this.#view;
  }

  get orderVersion(): number {
    return this.#orderVersion;
  }

  get arrangeProgress(): number | undefined {
    return this.#requested?.progress;
  }

  async arrange(arrangement: Arrangement, { signal }: Partial<WorkOptions> = {}): Promise<void> {
    this.#followColumns();
    this.#requested?.controller.abort(superseded());
    this.#stopRefreshing();
    const controller = new AbortController();
    const requested: RequestedArrangement = { arrangement, controller, progress: undefined };
    this.#requested = requested;
    const abort = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      if (!isSame(arrangement, this.#arrangement) || this.#isBehind)
        await this.#arrange(arrangement, controller.signal);
    } finally {
      signal?.removeEventListener('abort', abort);
      if (this.#requested === requested) {
        this.#requested = undefined;
        this.#parts.onChange();
        this.rowsArrived();
      }
    }
  }

  /** Call this when rows arrived, and when no more will arrive. They join the arranged rows after a moment. */
  rowsArrived(): void {
    if (!this.#parts.mayGrow()) this.#followColumns();
    if (this.#disposed || this.#requested || this.#refreshing || !this.#isBehind) return;
    // The last rows need not wait.
    if (!this.#parts.mayGrow()) this.#refreshTimer.cancel();
    this.#refreshTimer.schedule();
  }

  dispose(): void {
    this.#disposed = true;
    this.#requested?.controller.abort(superseded());
    this.#stopRefreshing();
  }

  protected abstract arrangeRows(arrangement: Arrangement, options: WorkOptions): Promise<ArrangedRows>;

  /** Whether the order lacks rows, or sorts BLOBs as texts. */
  get #isBehind(): boolean {
    const { rowCount, mayGrow, columns } = this.#parts;
    if (!this.#view) return false;
    return rowCount() > this.#view.starts.length || (!mayGrow() && blobColumns(columns()) !== this.#viewBlobColumns);
  }

  #stopRefreshing(): void {
    this.#refreshTimer.cancel();
    this.#refreshing?.abort(superseded());
    this.#refreshing = undefined;
  }

  async #refresh(): Promise<void> {
    this.#followColumns();
    const refreshing = new AbortController();
    this.#refreshing = refreshing;
    try {
      await this.#arrange(this.#arrangement, refreshing.signal);
      if (this.#refreshing === refreshing) this.#refreshing = undefined;
      this.rowsArrived();
    } catch {
      // The order is still right for the rows that it has. The next rows or the next query try again.
      if (this.#refreshing === refreshing) this.#refreshing = undefined;
    }
  }

  async #arrange(arrangement: Arrangement, signal: AbortSignal): Promise<void> {
    const { columns, onChange } = this.#parts;
    if (isSame(arrangement, unsorted)) return this.#replace(arrangement, undefined);
    const startedAt = this.#clock.now();
    const columnsAtStart = columns();
    const onProgress = (done: number): void => {
      if (this.#requested?.controller.signal !== signal) return;
      this.#requested.progress = done;
      onChange();
    };
    onProgress(0);
    const shared = await this.arrangeRows(arrangement, { signal, onProgress });
    signal.throwIfAborted();
    this.#lastDurationMs = this.#clock.now() - startedAt;
    this.#viewBlobColumns = blobColumns(columnsAtStart);
    this.#replace(moveArrangement(arrangement, columnsAtStart, columns()), {
      shared,
      order: new Uint32Array(shared.order),
      starts: new Uint32Array(shared.starts),
    });
    onChange();
  }

  /** Sort keys and filters follow their columns to other indexes. */
  #followColumns(): void {
    const columns = this.#parts.columns();
    if (columns === this.#columns) return;
    if (this.#columns.length > 0 && columnNames(columns) !== columnNames(this.#columns)) {
      this.#arrangement = moveArrangement(this.#arrangement, this.#columns, columns);
      // Calls in flight name columns by their old indexes.
      this.#orderVersion++;
    }
    this.#columns = columns;
  }

  #replace(arrangement: Arrangement, view: ArrangedView | undefined): void {
    this.#arrangement = arrangement;
    this.#view = view;
    this.#orderVersion++;
  }
}

const superseded = (): ProjectError =>
  new ProjectError('closed', 'superseded', 'Another arrangement of the rows was requested.');

const isSame = (one: Arrangement, other: Arrangement): boolean => JSON.stringify(one) === JSON.stringify(other);

const columnNames = (columns: readonly Column[]): string => JSON.stringify(columns.map(({ name }) => name));

/** The columns that hold BLOBs, as a text to compare. */
const blobColumns = (columns: readonly Column[]): string =>
  columns.map(({ type }) => Number(isBlobType(type))).join('');
