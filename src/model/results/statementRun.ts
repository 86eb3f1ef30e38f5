import { Emitter } from '../../base/emitter.ts';
import { misuse } from '../../base/errors.ts';
import type { Client, RetryWait, RowScanner } from '../../client/index.ts';
import type { RunState, WriteOutcome } from '../../protocol/runState.ts';
import type { SqlRequest } from '../../wire/sqlRequest.ts';
import type { Column, ShownValue } from '../../wire/values.ts';
import type { DiskBudget } from './diskBudget.ts';
import type { RowsThread } from './queries/rowsThread.ts';
import { SpoolQueries } from './queries/spoolQueries.ts';
import { FirstPaint } from './firstPaint.ts';
import type { Run, RunControls, RunPause, RunStorage, RunWait } from './run.ts';
import { hasEnded } from './runEvents.ts';
import { RunBudget, type RunLimits } from './runBudget.ts';
import { Sending } from './sending.ts';
import { Spool } from './spool.ts';
import { saveSpool } from './spool/savedSpool.ts';
import { StopWatch } from './stopWatch.ts';
import type { WriteKey } from './writeKey.ts';

export type { RunLimits } from './runBudget.ts';

export interface RunRequest {
  readonly client: Client;
  readonly projectId: string;
  readonly request: SqlRequest;
  /** Sent with statements that may write, so that none of them runs twice. */
  readonly writeKey?: WriteKey | undefined;
  /** Whether the statement surely reads, so that it may be sent again without a key. */
  readonly reads?: boolean;
  /** Where rows are kept until the run is disposed. */
  readonly folder: string;
  readonly limits: RunLimits;
  /** What all runs may keep together. */
  readonly disk?: DiskBudget;
  /** What rows are sorted, searched and written by. */
  readonly worker: RowsThread;
  readonly now: () => number;
}

/** An answer that is larger than what a screen shows, in bytes. */
const moreThanSeen = 256 * 1024;

/** One execution of a statement, with its rows so far. */
export class StatementRun implements Run {
  readonly #request: RunRequest;
  readonly #controller = new AbortController();
  readonly #changes = new Emitter<void>();
  readonly #firstPaint = new FirstPaint();
  readonly #watch: StopWatch;
  readonly #budget: RunBudget;
  readonly #sending: Sending;
  readonly queries: SpoolQueries;
  readonly controls: RunControls;
  readonly storage: RunStorage;
  #firstRowMs: number | undefined;
  #charged = 0;
  #spool: Spool | undefined;
  #scanner: RowScanner | undefined;
  #state: RunState = 'running';
  #error: unknown;
  #finished: Promise<void> | undefined;
  #pause: RunPause | undefined;

  readonly onChange = this.#changes.on;

  constructor(request: RunRequest) {
    this.#request = request;
    this.#watch = new StopWatch(request.now);
    this.#budget = new RunBudget(request.limits, request.disk);
    const { signal } = this.#controller;
    this.#sending = new Sending({
      ...{ now: request.now, signal, onChange: () => this.#changes.fire() },
      mayHaveRun: request.writeKey?.wasSent ?? false,
    });
    this.queries = new SpoolQueries({
      thread: request.worker,
      spool: () => this.#spool,
      columns: () => this.columns,
      rowCount: () => this.rowCount,
      isOpen: () => !hasEnded(this),
      onChange: () => this.#changes.fire(),
    });
    this.controls = this.#newControls();
    this.storage = {
      releaseBudget: () => this.#charge(0),
      save: file => this.#save(file),
    };
    this.onChange(() => this.queries.rowsArrived());
  }

  get state(): RunState {
    return this.#state;
  }

  get error(): unknown {
    return this.#error;
  }

  get writeKey(): WriteKey | undefined {
    return this.#request.writeKey;
  }

  get columns(): readonly Column[] {
    return this.#scanner?.columns ?? [];
  }

  get rowCount(): number {
    return Math.min(this.#spool?.rowCount ?? 0, this.#budget.rows);
  }

  get changedRows(): number | undefined {
    return this.#scanner?.rowCount;
  }

  get sizeBytes(): number {
    return this.#spool?.size ?? 0;
  }

  get firstRowMs(): number | undefined {
    return this.#firstRowMs;
  }

  get elapsedMs(): number {
    return this.#watch.elapsedMs;
  }

  get isWriting(): boolean {
    return this.writeKey !== undefined && this.#state === 'running';
  }

  get writeOutcome(): WriteOutcome | undefined {
    const isOpen = this.#state === 'failed' || this.#state === 'cancelled';
    if (this.writeKey && isOpen && this.#sending.mayHaveRun(this.#error)) {
      return this.writeKey.isRemembered ? 'unknown' : 'expired';
    }
    return this.#scanner?.replayed ? 'replayed' : undefined;
  }

  start(): Promise<void> {
    this.#finished ??= this.#run();
    return this.#finished;
  }

  rows(start: number, count: number): Promise<ShownValue[][]> {
    return this.queries.rows(start, count);
  }

  /** Ends a paused run as `limited`, since none of its rows is cut off. */
  cancel(): void {
    if (this.#pause) this.#pause.finish();
    else this.#controller.abort();
  }

  async dispose(): Promise<void> {
    this.cancel();
    await this.#finished;
    this.#changes.dispose();
    this.queries.dispose();
    await this.#spool?.delete();
    this.#charge(0);
  }

  #newControls(): RunControls {
    const pause = (): RunPause | undefined => this.#pause;
    const wait = (): RunWait | undefined => this.#sending.wait;
    return {
      get pause() {
        return pause();
      },
      get wait() {
        return wait();
      },
      cancel: () => this.cancel(),
      reportFirstPaint: () => this.#firstPaint.come(),
    };
  }

  async #save(file: string): Promise<void> {
    if (this.#spool) await saveSpool(this.#spool, file, this.columns);
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    try {
      const spool = await Spool.create(this.#request.folder);
      this.#spool = spool;
      const scanner = await this.#send(signal);
      this.#scanner = scanner;
      try {
        for await (const batch of scanner.rawBatches()) {
          await spool.append(batch);
          this.#charge(spool.size);
          if (spool.rowCount > 0) this.#firstRowMs ??= this.elapsedMs;
          this.#changes.fire();
          if (spool.size > moreThanSeen) await this.#firstPaint.done;
          if (!(await this.#mayGoOn(spool))) return this.#end('limited');
        }
        await spool.flush();
      } finally {
        await scanner.close();
      }
      const fault = scanner.err();
      if (fault) throw fault;
      this.#end('done');
    } catch (thrown) {
      this.#error = thrown;
      this.#end(signal.aborted ? 'cancelled' : 'failed');
    }
  }

  async #send(signal: AbortSignal): Promise<RowScanner> {
    const { client, projectId, request, writeKey, reads } = this.#request;
    // What was given up before it was sent has surely not run.
    signal.throwIfAborted();
    // A service that has forgotten the key would do the statement, perhaps for the second time.
    if (writeKey && !writeKey.isRemembered) throw misuse('outcome_expired', 'The service may have forgotten it.');
    this.#sending.begin();
    if (writeKey) writeKey.wasSent = true;
    const onWait = (wait: RetryWait): void => {
      // A machine may sleep for days while a statement waits to be sent again.
      wait.over.addEventListener('abort', () => writeKey?.isRemembered === false && this.#controller.abort());
      this.#sending.onWait(wait);
    };
    const once = writeKey ? { idempotencyKey: writeKey.text } : {};
    return client.execSqlStream(projectId, request, { signal, reads, onWait, ...once });
  }

  /** While nobody decides, nothing is read, so that the rest waits at the service. */
  async #mayGoOn(spool: Spool): Promise<boolean> {
    for (let reason = this.#budget.usedUp(spool); reason; reason = this.#budget.usedUp(spool)) {
      // Who gave it up while the last rows were written has decided.
      this.#controller.signal.throwIfAborted();
      const { promise, resolve } = Promise.withResolvers<boolean>();
      this.#pause = {
        reason,
        resume: () => resolve(true),
        finish: () => resolve(false),
      };
      this.#watch.stop();
      this.#become('paused');
      const goesOn = await promise;
      this.#pause = undefined;
      if (!goesOn) return false;
      this.#budget.extend(reason, spool);
      this.#watch.goOn();
      this.#become('running');
    }
    return true;
  }

  /** Tells the budget of all results what this one takes by now. */
  #charge(bytes: number): void {
    this.#request.disk?.take(bytes - this.#charged);
    this.#charged = bytes;
  }

  #become(state: RunState): void {
    this.#state = state;
    this.#changes.fire();
  }

  #end(state: RunState): void {
    this.#watch.stop();
    this.#become(state);
  }
}
