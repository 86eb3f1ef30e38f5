import { Worker } from 'node:worker_threads';
import type { CallAnswer, CallOf, CallParams } from '../../../base/callTable.ts';
import { misuse, ProjectError } from '../../../base/errors.ts';
import type { BatchOptions, SourceBatch } from '../batches.ts';
import type { FileSource } from '../journal.ts';
import { type RowSource, shareOf } from '../rowSource.ts';
import type { FromImportThread, ImportThreadCalls, ToImportThread } from './importThreadCalls.ts';

interface ImportThreadOptions {
  /** `thread/main.ts`, as source or as a bundle. */
  readonly entry: URL | string;
  readonly signal: AbortSignal;
  readonly maxHeapMb?: number;
}

/** Encoded rows are garbage. A small space for new objects keeps V8 from gathering hundreds of megabytes, at no cost in time. */
const youngHeapMb = 8;
/** A row has at most some millions of characters, so usual files never need this much. */
const usualHeapMb = 512;

/** Reads and encodes the rows of a file in a thread of its own, so that the window stays free. */
export async function openFileInThread(source: FileSource, options: ImportThreadOptions): Promise<RowSource> {
  const thread = new ImportThread(options);
  try {
    const size = await thread.call('open', source);
    return {
      batches: from => batchesOf(thread, from),
      isLive: false,
      share: shareOf(size),
      requireUnchanged: () => thread.call('requireUnchanged', undefined),
      isChanged: async () => false,
      [Symbol.asyncDispose]: () => thread.end(),
    };
  } catch (thrown) {
    await thread.end();
    throw thrown;
  }
}

async function* batchesOf(thread: ImportThread, options: BatchOptions): AsyncGenerator<SourceBatch> {
  await thread.call('read', options);
  const bodies: ArrayBuffer[] = [];
  for (;;) {
    // While a batch is on its way, the next one is read. So the last body may still be sent, and not the one before.
    const sent = await thread.call('next', { spent: bodies.length > 1 ? bodies.shift() : undefined });
    if (!sent) return;
    const { batch, ...rest } = sent;
    bodies.push(rest.request.body.buffer as ArrayBuffer);
    yield {
      ...rest,
      requestOf: piece => thread.call('requestOf', { batch, piece }),
      rowAt: index => thread.call('rowAt', { batch, index }),
    };
  }
}

class ImportThread {
  readonly #worker: Worker;
  readonly #signal: AbortSignal;
  readonly #pending = new Map<number, PromiseWithResolvers<CallAnswer<ImportThreadCalls>>>();
  #nextId = 0;
  #fault: Error | undefined;

  constructor({ entry, signal, maxHeapMb = usualHeapMb }: ImportThreadOptions) {
    this.#worker = new Worker(entry, {
      resourceLimits: { maxYoungGenerationSizeMb: youngHeapMb, maxOldGenerationSizeMb: maxHeapMb },
    });
    this.#worker.on('message', (message: FromImportThread) => this.#receive(message));
    this.#worker.on('error', thrown => this.#fail(lossError(thrown)));
    this.#worker.on('exit', () => this.#fail(lossError(undefined)));
    this.#signal = signal;
    signal.addEventListener('abort', this.#abort);
  }

  async call<M extends keyof ImportThreadCalls>(
    method: M,
    params: CallParams<ImportThreadCalls, M>,
  ): Promise<CallAnswer<ImportThreadCalls, M>> {
    this.#signal.throwIfAborted();
    if (this.#fault) throw this.#fault;
    const id = this.#nextId++;
    const pending = Promise.withResolvers<CallAnswer<ImportThreadCalls>>();
    this.#pending.set(id, pending);
    this.#worker.ref();
    const message = { id, call: { method, params } as CallOf<ImportThreadCalls> } satisfies ToImportThread;
    const spent = typeof params === 'object' && 'spent' in params ? params.spent : undefined;
    this.#worker.postMessage(message, spent ? [spent] : []);
    return pending.promise;
  }

  async end(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#abort);
    this.#worker.ref();
    await this.#worker.terminate();
  }

  #receive(message: FromImportThread): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    // A paused import must not keep the process from ending.
    if (this.#pending.size === 0) this.#worker.unref();
    if (message.kind === 'answer') pending?.resolve(message.value);
    else
      pending?.reject(message.code === undefined ? new Error(message.message) : misuse(message.code, message.message));
  }

  #fail(fault: Error): void {
    this.#fault ??= fault;
    for (const { reject } of this.#pending.values()) reject(this.#fault);
    this.#pending.clear();
  }

  readonly #abort = (): void => this.#fail(this.#signal.reason as Error);
}

function lossError(cause: unknown): ProjectError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new ProjectError('misuse', 'import_out_of_memory', 'There is not enough memory to read the file.', { cause })
    : new ProjectError('misuse', 'import_interrupted', 'Reading the file was interrupted.', { cause });
}
