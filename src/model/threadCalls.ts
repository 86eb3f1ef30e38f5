import { parentPort, type Worker } from 'node:worker_threads';
import type { CallAnswer, CallParams, CallTable } from '../base/callTable.ts';
import { asRecord, asString } from '../base/decode.ts';
import { asProjectError, messageOf, misuse, type ProjectError } from '../base/errors.ts';
import type { RowBatch } from '../client/index.ts';
import { Job, type JobNews } from './job.ts';

type Sent<T> =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly method: keyof T;
      /** Each handler takes its own type. */
      readonly params: never;
    }
  | { readonly kind: 'cancel' | 'pieceRead'; readonly id: number };

type Reply<T extends CallTable<T>> = { readonly id: number } & (
  | JobNews
  | { readonly kind: 'answer'; readonly value: CallAnswer<T> }
  | { readonly kind: 'failure'; readonly isOwn: boolean; readonly code: string | undefined; readonly message: string }
);

export interface ThreadCallOptions {
  readonly signal?: AbortSignal;
  /** Called at intervals with the share of the work that is done, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Gets the pieces that come before the answer. The thread waits if too many of them are not read. */
  readonly onPiece?: (piece: RowBatch, onRead: () => void) => void;
  /** The memory of the parameters that is handed over and not copied. */
  readonly transfer?: readonly ArrayBuffer[] | undefined;
}

interface PendingCall<T extends CallTable<T>> extends PromiseWithResolvers<CallAnswer<T>> {
  readonly options: ThreadCallOptions;
}

/** The calls from the window to a thread. */
export class ThreadCalls<T extends CallTable<T>> {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingCall<T>>();
  #nextId = 0;
  #fault: Error | undefined;

  /** `lossError` makes the error of the calls that a thread leaves unanswered when it ends. */
  constructor(worker: Worker, lossError: (cause: unknown) => ProjectError) {
    this.#worker = worker;
    worker.on('message', (reply: Reply<T>) => this.#receive(reply));
    worker.on('error', thrown => this.fail(lossError(thrown)));
    worker.on('exit', () => this.fail(lossError(undefined)));
  }

  /** Why no call is answered any more. Undefined while the thread runs. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  async call<M extends keyof T>(
    method: M,
    params: CallParams<T, M>,
    options: ThreadCallOptions = {},
  ): Promise<CallAnswer<T, M>> {
    if (this.#fault) throw this.#fault;
    const { signal, transfer = [] } = options;
    signal?.throwIfAborted();
    const id = this.#nextId++;
    const pending = { ...Promise.withResolvers<CallAnswer<T>>(), options };
    const cancel = (): void => {
      this.#post({ kind: 'cancel', id });
      pending.reject(signal?.reason);
    };
    this.#pending.set(id, pending);
    signal?.addEventListener('abort', cancel, { once: true });
    this.#worker.ref();
    try {
      this.#worker.postMessage({ kind: 'call', id, method, params }, transfer);
      return await pending.promise;
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#pending.delete(id);
      // An idle thread must not keep the process from ending.
      if (this.isIdle) this.#worker.unref();
    }
  }

  /** Rejects all calls from now on. */
  fail(fault: Error): void {
    this.#fault ??= fault;
    for (const { reject } of this.#pending.values()) reject(this.#fault);
  }

  async end(): Promise<void> {
    this.#worker.ref();
    await this.#worker.terminate();
  }

  #post(message: Sent<T>): void {
    this.#worker.postMessage(message);
  }

  #receive(reply: Reply<T>): void {
    const { id } = reply;
    const pending = this.#pending.get(id);
    if (reply.kind === 'answer') pending?.resolve(reply.value);
    else if (reply.kind === 'progress') pending?.options.onProgress?.(reply.share);
    else if (reply.kind === 'piece')
      pending?.options.onPiece?.(reply.piece, () => this.#post({ kind: 'pieceRead', id }));
    else pending?.reject(errorOf(reply));
  }
}

const errorOf = ({ isOwn, code, message }: Extract<Reply<never>, { readonly kind: 'failure' }>): Error =>
  isOwn && code !== undefined ? misuse(code, message) : Object.assign(new Error(message), { code });

type Handlers<T extends CallTable<T>> = {
  readonly [M in keyof T]: (params: CallParams<T, M>, job: Job) => CallAnswer<T, M> | Promise<CallAnswer<T, M>>;
};

/** Answers the calls of the window, in the thread. `transferOf` lists the memory of an answer that is handed over and not copied. */
export function answerThreadCalls<T extends CallTable<T>>(
  handlers: Handlers<T>,
  transferOf: (value: CallAnswer<T>) => readonly ArrayBuffer[] = () => [],
): void {
  const port = parentPort;
  if (!port) throw new Error('Start this file as a thread.');
  const jobs = new Map<number, Job>();
  const answer = async (id: number, method: keyof T, params: never): Promise<void> => {
    const send = (reply: Reply<T>, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(reply, transfer);
    const job = new Job((news, transfer) => send({ ...news, id }, transfer));
    jobs.set(id, job);
    try {
      const value = await handlers[method](params, job);
      send({ kind: 'answer', id, value }, transferOf(value));
    } catch (thrown) {
      const own = asProjectError(thrown);
      const code = own?.code ?? asString(asRecord(thrown)?.['code']);
      send({ kind: 'failure', id, isOwn: own !== undefined, code, message: messageOf(thrown) });
    } finally {
      jobs.delete(id);
    }
  };
  port.on('message', (sent: Sent<T>) => {
    if (sent.kind === 'call') void answer(sent.id, sent.method, sent.params);
    else if (sent.kind === 'cancel') jobs.get(sent.id)?.cancel();
    else jobs.get(sent.id)?.pieceRead();
  });
}
