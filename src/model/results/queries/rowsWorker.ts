import { Worker } from 'node:worker_threads';
import { assertNever } from '../../../base/assertNever.ts';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { misuse, ProjectError } from '../../../base/errors.ts';
import type { WorkOptions } from '../rowQueries.ts';
import type { Answers, FromThread, Question, QuestionName, Questions, ToThread } from './messages.ts';

/** A spool as the thread gets to know it. */
export interface KnownSpool {
  readonly id: number;
  readonly file: string;
  readonly memory: SharedArrayBuffer;
}

export interface AskOptions extends WorkOptions {
  readonly onPiece?: (bytes: Uint8Array) => void;
}

interface Asked {
  readonly resolve: (value: Answers[QuestionName]) => void;
  readonly reject: (reason: Error) => void;
  readonly options: AskOptions;
}

interface Thread {
  readonly worker: Worker;
  readonly opened: Set<number>;
}

export interface RowsWorkerOptions {
  readonly clock?: Clock;
  /** The thread ends when nothing was asked for so long. */
  readonly idleMs?: number;
  readonly maxHeapMb?: number;
}

/**
 * The thread that works through rows, for all results of a window: a second one would have no core of its own, and
 * each takes memory. It starts with the first question, and anew with the next one when it is gone.
 */
export class RowsWorker {
  readonly #entry: URL | string;
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #maxHeapMb: number;
  readonly #asked = new Map<number, Asked>();
  #thread: Thread | undefined;
  #nextId = 0;
  #stopIdling: (() => void) | undefined;
  #disposed = false;

  /** `entry` is the file of `thread/rowsThread.ts`, as source or as a bundle. */
  constructor(entry: URL | string, { clock = systemClock, idleMs = 60_000, maxHeapMb = 1024 }: RowsWorkerOptions = {}) {
    this.#entry = entry;
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#maxHeapMb = maxHeapMb;
  }

  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  /** A number for something the thread shall know, or for a question. */
  newId(): number {
    return this.#nextId++;
  }

  async ask<Name extends QuestionName>(
    spool: KnownSpool,
    name: Name,
    params: Questions[Name],
    options: AskOptions,
    id = this.newId(),
  ): Promise<Answers[Name]> {
    const { signal } = options;
    signal.throwIfAborted();
    if (this.#disposed) throw misuse('window_closed', 'The window is about to close.');
    const thread = this.#open(spool);
    const { promise, resolve, reject } = Promise.withResolvers<Answers[QuestionName]>();
    this.#asked.set(id, { resolve, reject, options });
    const cancel = (): void => {
      send(thread, { kind: 'cancel', id });
      // The reason is the caller's own and is passed on as it is.
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      send(thread, { kind: 'ask', id, question: { name, params } as Question });
      return (await promise) as Answers[Name];
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#asked.delete(id);
      this.#idleSoon();
    }
  }

  /** A piece was taken, so that another one may be sent. */
  more(id: number): void {
    if (this.#thread) send(this.#thread, { kind: 'more', id });
  }

  release({ id }: KnownSpool): void {
    if (this.#thread?.opened.delete(id)) send(this.#thread, { kind: 'close', spool: id });
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.#end();
  }

  #open({ id, file, memory }: KnownSpool): Thread {
    this.#stopIdling?.();
    this.#thread ??= this.#start();
    this.#thread.worker.ref();
    if (!this.#thread.opened.has(id)) {
      this.#thread.opened.add(id);
      send(this.#thread, { kind: 'open', spool: id, file, memory });
    }
    return this.#thread;
  }

  #start(): Thread {
    const worker = new Worker(this.#entry, { resourceLimits: { maxOldGenerationSizeMb: this.#maxHeapMb } });
    const thread: Thread = { worker, opened: new Set() };
    worker.on('message', (message: FromThread) => this.#hear(message));
    worker.on('error', thrown => this.#lose(thread, thrown));
    worker.on('exit', () => this.#lose(thread, undefined));
    return thread;
  }

  #hear(message: FromThread): void {
    const asked = this.#asked.get(message.id);
    switch (message.kind) {
      case 'answer':
        asked?.resolve(message.value);
        return;
      case 'failure':
        asked?.reject(new ProjectError('misuse', message.code, message.message));
        return;
      case 'progress':
        asked?.options.onProgress?.(message.done);
        return;
      case 'piece':
        asked?.options.onPiece?.(message.bytes);
        return;
      default:
        assertNever(message);
    }
  }

  #lose(thread: Thread, thrown: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    const lost = lossOf(thrown);
    for (const { reject } of this.#asked.values()) reject(lost);
  }

  #idleSoon(): void {
    if (this.#asked.size > 0 || !this.#thread) return;
    this.#thread.worker.unref();
    this.#stopIdling?.();
    this.#stopIdling = this.#clock.after(this.#idleMs, () => void this.#end());
  }

  async #end(): Promise<void> {
    this.#stopIdling?.();
    const thread = this.#thread;
    if (!thread) return;
    this.#lose(thread, undefined);
    await thread.worker.terminate();
  }
}

function send({ worker }: Thread, message: ToThread): void {
  worker.postMessage(message);
}

function lossOf(thrown: unknown): ProjectError {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const sentence = 'These rows take more memory to work through than there is. Fewer rows or columns may do.';
    return new ProjectError('closed', 'rows_out_of_memory', sentence, { cause: thrown });
  }
  const sentence = 'Working through the rows was interrupted. The rows are still there: try again.';
  return new ProjectError('closed', 'rows_interrupted', sentence, { cause: thrown });
}
