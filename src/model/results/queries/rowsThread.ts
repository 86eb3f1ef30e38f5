import { Worker } from 'node:worker_threads';
import type { CallAnswer, CallParams } from '../../../base/callTable.ts';
import { type Clock, monotonicClock } from '../../../base/clock.ts';
import { Debouncer } from '../../../base/debouncer.ts';
import { misuse, ProjectError } from '../../../base/errors.ts';
import { ThreadCalls, type ThreadCallOptions } from '../../threadCalls.ts';
import type { RowsThreadCalls } from '../thread/rowsThreadCalls.ts';

export interface RowsThreadOptions {
  readonly clock?: Clock;
  readonly idleMs?: number;
  readonly maxHeapMb?: number;
}

/**
 * The window's side of the rows thread, which answers row queries of all results of a window. More threads would share the
 * same cores and take more memory. The thread starts with the first call, and again with the next call after it ended.
 */
export class RowsThread {
  readonly #entry: URL | string;
  readonly #maxHeapMb: number;
  readonly #idle: Debouncer;
  #calls: ThreadCalls<RowsThreadCalls> | undefined;
  #nextSpoolId = 0;
  #disposed = false;

  /** `entry` is `thread/main.ts`, as source or as a bundle. */
  constructor(entry: URL | string, options: RowsThreadOptions = {}) {
    const { clock = monotonicClock, idleMs = 60_000, maxHeapMb = 1024 } = options;
    this.#entry = entry;
    this.#maxHeapMb = maxHeapMb;
    this.#idle = new Debouncer({ run: () => void this.#end(), delayMs: idleMs, restarts: true, clock });
  }

  get isRunning(): boolean {
    return this.#calls !== undefined && !this.#calls.fault;
  }

  newSpoolId(): number {
    return this.#nextSpoolId++;
  }

  async call<M extends keyof RowsThreadCalls>(
    method: M,
    params: CallParams<RowsThreadCalls, M>,
    options: ThreadCallOptions,
  ): Promise<CallAnswer<RowsThreadCalls, M>> {
    options.signal?.throwIfAborted();
    if (this.#disposed) throw misuse('window_closed', 'The window is closing.');
    this.#idle.cancel();
    const calls = this.#calls && !this.#calls.fault ? this.#calls : this.#start();
    try {
      return await calls.call(method, params, options);
    } finally {
      if (calls.isIdle && this.isRunning) this.#idle.schedule();
    }
  }

  /** Closes the file of a spool. Its calls have ended, or are cancelled. */
  release(spoolId: number): void {
    if (this.isRunning) void this.call('closeSpool', { spoolId }, {}).catch(() => undefined);
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.#end();
  }

  #start(): ThreadCalls<RowsThreadCalls> {
    const worker = new Worker(this.#entry, { resourceLimits: { maxOldGenerationSizeMb: this.#maxHeapMb } });
    this.#calls = new ThreadCalls(worker, lossError);
    return this.#calls;
  }

  async #end(): Promise<void> {
    this.#idle.cancel();
    const calls = this.#calls;
    this.#calls = undefined;
    await calls?.end();
  }
}

function lossError(cause: unknown): ProjectError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const message = 'There is not enough memory to work through these rows. Try fewer rows or columns.';
    return new ProjectError('closed', 'rows_out_of_memory', message, { cause });
  }
  const message = 'Working through the rows was interrupted. The rows are still there: try again.';
  return new ProjectError('closed', 'rows_interrupted', message, { cause });
}
