import type { Clock } from '../../base/clock.ts';
import type { RetryWait, RowBatch, RowScanner } from '../../client/index.ts';
import type { RunState, WriteOutcome } from '../../protocol/runState.ts';
import type { Column } from '../../wire/values.ts';
import type { DiskBudget } from './diskBudget.ts';
import { keyExpired } from './keyExpired.ts';
import { RunBudget, type RunLimits } from './runBudget.ts';
import type { RowsThread } from './queries/rowsThread.ts';
import type { ColumnKey, RunControls, RunPause } from './run.ts';
import { Spool } from './spool.ts';
import { SpooledRun } from './spooledRun.ts';
import { StatementDelivery } from './statementDelivery.ts';
import type { WriteKey } from './writeKey.ts';

/** The rows of a run as they arrive: the answer to a statement, or the differences that a comparison finds. */
type RunSource = Pick<RowScanner, 'columns' | 'rawBatches'> &
  Partial<Pick<RowScanner, 'rowCount' | 'replayed' | 'err' | 'close'>>;

interface SendOptions {
  readonly signal: AbortSignal;
  readonly onWait: (wait: RetryWait) => void;
  readonly idempotencyKey?: string;
  /** Call this when something else than the rows changes. */
  readonly onProgress: () => void;
}

/** The parts that all runs of a window share. */
export interface SpooledRunParts {
  /** The folder of the spool, which is deleted with the run. */
  readonly folder: string;
  readonly disk?: DiskBudget;
  readonly thread: RowsThread;
  readonly clock: Clock;
}

export interface StatementRunParts extends SpooledRunParts {
  /** Awaited before `send`. A run that ends meanwhile has certainly sent nothing. */
  readonly connect?: () => Promise<unknown>;
  readonly send: (options: SendOptions) => Promise<RunSource>;
  /** The idempotency key of a statement that may write, so that it never runs twice. */
  readonly writeKey?: WriteKey | undefined;
  /** Without it, only the disk budget limits the rows. */
  readonly limits?: RunLimits;
  /** The rows that runs on several projects share. Without it, the run has its own. */
  readonly shared?: SharedRows;
}

interface SharedRows {
  readonly spool: () => Promise<Spool>;
  readonly budget: RunBudget;
  /** Adds the name of the project to the rows. */
  readonly toStored: (batch: RowBatch) => RowBatch;
}

const noColumns: readonly Column[] = [];
const noLimits: RunLimits = { maxRows: Infinity, maxBytes: Infinity };

/** More bytes than the rows of a screen have. */
const screenBytes = 256 * 1024;

/** A column of a statement, as the schema of the project describes it. */
export interface DescribedColumn {
  readonly name: string;
  readonly key: ColumnKey;
}

/** Whether the service has renamed a repeated column name, as in `a:1`. */
const isNumbered = (shown: string, name: string): boolean =>
  shown.startsWith(`${name}:`) && /^\d+$/.test(shown.slice(name.length + 1));

export class StatementRun extends SpooledRun {
  readonly #parts: StatementRunParts;
  readonly #controller = new AbortController();
  readonly #firstPaint: FirstPaint;
  readonly #budget: RunBudget;
  readonly #delivery: StatementDelivery;
  #startedAt: number;
  /** Set while no rows are read: during a pause, and after the end. */
  #stoppedAt: number | undefined;
  firstRowMs: number | undefined;
  /** The rows of this run in the spool. */
  #storedRows = 0;
  protected spool: Spool | undefined;
  #source: RunSource | undefined;
  hint: string | undefined;
  #describedColumns: readonly DescribedColumn[] = [];
  #ended: Promise<void> | undefined;
  #pause: RunPause | undefined;

  constructor(parts: StatementRunParts) {
    super(parts.thread, parts.disk);
    const { clock, limits = noLimits, disk, writeKey } = parts;
    this.#parts = parts;
    this.#firstPaint = new FirstPaint(clock);
    this.#startedAt = clock.now();
    this.#budget = parts.shared?.budget ?? new RunBudget(limits, disk);
    this.#delivery = new StatementDelivery({
      clock,
      signal: this.#controller.signal,
      onChange: () => this.changes.fire(),
      mayHaveRun: writeKey?.wasSent ?? false,
    });
  }

  get controls(): RunControls {
    return {
      pause: this.#pause,
      wait: this.#delivery.wait,
      cancel: () => this.cancel(),
      reportFirstPaint: () => this.#firstPaint.report(),
    };
  }

  suggest(hint: string): void {
    this.hint = hint;
    this.changes.fire();
  }

  describe(columns: readonly DescribedColumn[]): void {
    this.#describedColumns = columns;
    this.changes.fire();
  }

  /** Undefined if the names differ: after an edit of the text, the description may be of another statement. */
  keyOf(column: number): ColumnKey | undefined {
    const described = this.#describedColumns[column];
    const shown = this.columns[column];
    const isSame = described && shown && (shown.name === described.name || isNumbered(shown.name, described.name));
    return isSame ? described.key : undefined;
  }

  get writeKey(): WriteKey | undefined {
    return this.#parts.writeKey;
  }

  get columns(): readonly Column[] {
    return this.#source?.columns ?? noColumns;
  }

  /** The stored rows, without those beyond the limit. */
  get rowCount(): number {
    return Math.min(this.#storedRows, this.spool?.rowCount ?? Infinity, this.#budget.maxRows);
  }

  /** The count in the answer to a statement without rows. */
  get changedRows(): number | undefined {
    return this.#source?.rowCount;
  }

  get elapsedMs(): number {
    return (this.#stoppedAt ?? this.#parts.clock.now()) - this.#startedAt;
  }

  get isWriting(): boolean {
    return this.writeKey?.wasSent === true && this.state === 'running';
  }

  get writeOutcome(): WriteOutcome | undefined {
    const hasNoAnswer = this.state === 'failed' || this.state === 'cancelled';
    if (this.writeKey && hasNoAnswer && this.#delivery.mayHaveRun(this.error)) {
      return this.writeKey.isRemembered ? 'unknown' : 'expired';
    }
    return this.#source?.replayed ? 'replayed' : undefined;
  }

  start(): Promise<void> {
    this.#ended ??= this.#run();
    return this.#ended;
  }

  /** A paused run ends as `limited`: the rows that it has stay. */
  cancel(): void {
    if (this.#pause) this.#pause.finish();
    else this.#controller.abort();
  }

  async dispose(): Promise<void> {
    this.cancel();
    await this.#ended;
    await this.disposeRows();
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    try {
      const { shared, folder } = this.#parts;
      const spool = shared ? await shared.spool() : (this.spool = await Spool.create(folder));
      const source = await this.#send(signal);
      this.#source = source;
      const isComplete = await this.#store(source, spool);
      if (!isComplete) return this.#enter('limited');
      const fault = source.err?.();
      if (fault) throw fault;
      this.#enter('done');
    } catch (thrown) {
      this.fault = thrown;
      this.#enter(signal.aborted ? 'cancelled' : 'failed');
    }
  }

  async #send(signal: AbortSignal): Promise<RunSource> {
    signal.throwIfAborted();
    const { connect, send, writeKey } = this.#parts;
    await connect?.();
    // A statement that is cancelled before it is sent has certainly not run.
    signal.throwIfAborted();
    // A service that has forgotten the key would run the statement, perhaps for the second time.
    if (writeKey && !writeKey.isRemembered) throw keyExpired();
    this.#delivery.sending();
    if (writeKey) writeKey.wasSent = true;
    const onWait = (wait: RetryWait): void => {
      // The machine may sleep for days while a statement waits for its retry.
      wait.over.addEventListener('abort', () => writeKey?.isRemembered === false && this.#controller.abort());
      this.#delivery.waiting(wait);
    };
    const onProgress = (): void => this.changes.fire();
    return send({ signal, onWait, onProgress, ...(writeKey && { idempotencyKey: writeKey.text }) });
  }

  async #store(source: RunSource, spool: Spool): Promise<boolean> {
    const { shared } = this.#parts;
    try {
      for await (const batch of source.rawBatches()) {
        const written = spool.append(shared?.toStored(batch) ?? batch);
        this.#storedRows += batch.rowCount;
        await written;
        this.charge();
        if (this.#storedRows > 0) this.firstRowMs ??= this.elapsedMs;
        this.changes.fire();
        if (spool.size > screenBytes) await this.#firstPaint.done;
        if (!(await this.#continuesWithin(spool))) return false;
      }
      await spool.flush();
      return true;
    } finally {
      await source.close?.();
    }
  }

  /** Pauses while a budget is exceeded. Nothing is read during a pause, so the other rows wait at the service. */
  async #continuesWithin(spool: Spool): Promise<boolean> {
    for (let reason = this.#budget.exceededBy(spool); reason; reason = this.#budget.exceededBy(spool)) {
      // The run may have been cancelled while the last rows were written.
      this.#controller.signal.throwIfAborted();
      const { extensions } = this.#budget;
      const { promise: decision, resolve } = Promise.withResolvers<boolean>();
      this.#pause = {
        reason,
        resume: () => resolve(true),
        finish: () => resolve(false),
      };
      this.#enter('paused');
      const resumes = await decision;
      this.#pause = undefined;
      if (!resumes) return false;
      // Another run may have extended the budget that they share.
      if (this.#budget.extensions === extensions) this.#budget.extend(reason, spool);
      this.#enter('running');
    }
    return true;
  }

  #enter(state: RunState): void {
    const now = this.#parts.clock.now();
    if (state !== 'running') this.#stoppedAt ??= now;
    else if (this.#stoppedAt !== undefined) {
      this.#startedAt += now - this.#stoppedAt;
      this.#stoppedAt = undefined;
    }
    this.currentState = state;
    this.changes.fire();
  }
}

/** Wait no longer for the first paint: a hidden result never reports one. */
const maxWaitMs = 100;

/** A run with more rows than a screen waits for its first paint. Reading them at once would delay that paint. */
export class FirstPaint {
  readonly #clock: Clock;
  readonly #painted = Promise.withResolvers<void>();
  #isWaiting = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get done(): Promise<void> {
    if (!this.#isWaiting) this.#clock.after(maxWaitMs, this.#painted.resolve);
    this.#isWaiting = true;
    return this.#painted.promise;
  }

  report(): void {
    this.#painted.resolve();
  }
}
