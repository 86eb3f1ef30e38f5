import { Worker } from 'node:worker_threads';
import { assertNever } from '../../../base/assertNever.ts';
import type { CallAnswer, CallOf, CallParams } from '../../../base/callTable.ts';
import { type Clock, monotonicClock } from '../../../base/clock.ts';
import { Debouncer } from '../../../base/debouncer.ts';
import { misuse, ProjectError } from '../../../base/errors.ts';
import type { WorkOptions } from '../rowQueries.ts';
import type {
  FromRowsThread,
  RowsThreadCalls,
  SharedSpool,
  ThreadPiece,
  ToRowsThread,
} from '../thread/rowsThreadCalls.ts';

interface RowsCallOptions extends WorkOptions {
  readonly onPiece?: (piece: ThreadPiece) => void;
  /** Another spool that the call reads. */
  readonly otherSpool?: SharedSpool | undefined;
}

interface PendingCall {
  readonly resolve: (value: CallAnswer<RowsThreadCalls>) => void;
  readonly reject: (reason: Error) => void;
  readonly options: RowsCallOptions;
}

interface RunningThread {
  readonly worker: Worker;
  readonly openSpools: Set<number>;
}

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
  readonly #pendingCalls = new Map<number, PendingCall>();
  #running: RunningThread | undefined;
  #nextId = 0;
  #disposed = false;

  /** `entry` is `thread/main.ts`, as source or as a bundle. */
  constructor(entry: URL | string, options: RowsThreadOptions = {}) {
    const { clock = monotonicClock, idleMs = 60_000, maxHeapMb = 1024 } = options;
    this.#entry = entry;
    this.#maxHeapMb = maxHeapMb;
    this.#idle = new Debouncer({ run: () => void this.#end(), delayMs: idleMs, restarts: true, clock });
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  newId(): number {
    return this.#nextId++;
  }

  /** Pass an `id` from `newId` to refer to the call before it is answered. */
  async call<M extends keyof RowsThreadCalls>(
    spool: SharedSpool,
    method: M,
    params: CallParams<RowsThreadCalls, M>,
    options: RowsCallOptions,
    id = this.newId(),
  ): Promise<CallAnswer<RowsThreadCalls, M>> {
    const { signal } = options;
    signal.throwIfAborted();
    if (this.#disposed) throw misuse('window_closed', 'The window is closing.');
    const thread = this.#open(spool);
    if (options.otherSpool) this.#open(options.otherSpool);
    const { promise, resolve, reject } = Promise.withResolvers<CallAnswer<RowsThreadCalls>>();
    this.#pendingCalls.set(id, { resolve, reject, options });
    const cancel = (): void => {
      post(thread, { kind: 'cancel', id });
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      post(thread, { kind: 'call', id, spoolId: spool.id, call: { method, params } as CallOf<RowsThreadCalls> });
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#pendingCalls.delete(id);
      this.#scheduleEnd();
    }
  }

  /** Lets the thread send another piece of the call's text. */
  pieceRead(callId: number): void {
    if (this.#running) post(this.#running, { kind: 'pieceRead', id: callId });
  }

  release({ id }: SharedSpool): void {
    if (this.#running?.openSpools.delete(id)) post(this.#running, { kind: 'closeSpool', spoolId: id });
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.#end();
  }

  #open(spool: SharedSpool): RunningThread {
    this.#idle.cancel();
    this.#running ??= this.#start();
    this.#running.worker.ref();
    if (!this.#running.openSpools.has(spool.id)) {
      this.#running.openSpools.add(spool.id);
      post(this.#running, { kind: 'openSpool', spool });
    }
    return this.#running;
  }

  #start(): RunningThread {
    const worker = new Worker(this.#entry, { resourceLimits: { maxOldGenerationSizeMb: this.#maxHeapMb } });
    const thread: RunningThread = { worker, openSpools: new Set() };
    worker.on('message', (message: FromRowsThread) => this.#receive(message));
    worker.on('error', thrown => this.#lose(thread, thrown));
    worker.on('exit', () => this.#lose(thread, undefined));
    return thread;
  }

  #receive(message: FromRowsThread): void {
    const pending = this.#pendingCalls.get(message.id);
    switch (message.kind) {
      case 'answer':
        pending?.resolve(message.value);
        return;
      case 'failure':
        pending?.reject(new ProjectError('misuse', message.code, message.message));
        return;
      case 'progress':
        pending?.options.onProgress?.(message.done);
        return;
      case 'piece':
        pending?.options.onPiece?.(message.piece);
        return;
      default:
        assertNever(message);
    }
  }

  #lose(thread: RunningThread, thrown: unknown): void {
    if (this.#running !== thread) return;
    this.#running = undefined;
    const error = lossError(thrown);
    for (const { reject } of this.#pendingCalls.values()) reject(error);
  }

  #scheduleEnd(): void {
    if (this.#pendingCalls.size > 0 || !this.#running) return;
    this.#running.worker.unref();
    this.#idle.schedule();
  }

  async #end(): Promise<void> {
    this.#idle.cancel();
    const thread = this.#running;
    if (!thread) return;
    this.#lose(thread, undefined);
    await thread.worker.terminate();
  }
}

function post({ worker }: RunningThread, message: ToRowsThread): void {
  worker.postMessage(message);
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
