import { Worker } from 'node:worker_threads';
import type { CallAnswer, CallOf, CallParams } from '../../../base/callTable.ts';
import { misuse } from '../../../base/errors.ts';
import type { FromHistoryThread, HistoryThreadCalls, ToHistoryThread } from './historyThreadCalls.ts';

interface HistoryThreadOptions {
  /** `thread/main.ts`, as source or as a bundle. */
  readonly entry: URL | string;
  /** The folder of the history, which all windows share. */
  readonly folder: string;
  readonly onDamage?: (renamedFile: string) => void;
}

/** The window's side of the history thread. The thread starts with the first call, and again if it was lost. */
export class HistoryThread {
  readonly #options: HistoryThreadOptions;
  readonly #pendingCalls = new Map<number, PromiseWithResolvers<CallAnswer<HistoryThreadCalls>>>();
  #worker: Worker | undefined;
  #nextId = 0;

  constructor(options: HistoryThreadOptions) {
    this.#options = options;
  }

  async call<M extends keyof HistoryThreadCalls>(
    method: M,
    params: CallParams<HistoryThreadCalls, M>,
  ): Promise<CallAnswer<HistoryThreadCalls, M>> {
    const id = this.#nextId++;
    const pending = Promise.withResolvers<CallAnswer<HistoryThreadCalls>>();
    this.#pendingCalls.set(id, pending);
    this.#worker ??= this.#start();
    const call = { method, params } as CallOf<HistoryThreadCalls>;
    this.#worker.postMessage({ id, call } satisfies ToHistoryThread);
    return pending.promise;
  }

  /** Waits for the calls that were sent. */
  async dispose(): Promise<void> {
    await Promise.allSettled([...this.#pendingCalls.values()].map(({ promise }) => promise));
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const { entry, folder } = this.#options;
    const worker = new Worker(entry, { workerData: folder });
    worker.on('message', (message: FromHistoryThread) => this.#receive(message));
    worker.on('error', () => this.#lose(worker));
    worker.on('exit', () => this.#lose(worker));
    return worker;
  }

  #receive(message: FromHistoryThread): void {
    if (message.kind === 'damaged') return this.#options.onDamage?.(message.file);
    const pending = this.#pendingCalls.get(message.id);
    this.#pendingCalls.delete(message.id);
    if (message.kind === 'answer') pending?.resolve(message.value);
    else pending?.reject(misuse(message.code ?? 'history_failed', message.message));
  }

  #lose(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const error = misuse('history_failed', 'The thread of the history has ended.');
    for (const { reject } of this.#pendingCalls.values()) reject(error);
    this.#pendingCalls.clear();
  }
}
