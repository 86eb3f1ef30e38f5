import { parentPort, type Worker } from 'node:worker_threads';
import type { CallAnswer, CallParams, CallTable } from '../base/callTable.ts';
import { asProjectError, messageOf, misuse, type ProjectError } from '../base/errors.ts';

interface Sent<T> {
  readonly id: number;
  readonly method: keyof T;
  /** Each handler takes its own type. */
  readonly params: never;
}

type Reply<T extends CallTable<T>> =
  | { readonly kind: 'answer'; readonly id: number; readonly value: CallAnswer<T> }
  | { readonly kind: 'failure'; readonly id: number; readonly code: string | undefined; readonly message: string };

/** The calls from the window to a thread. */
export class ThreadCalls<T extends CallTable<T>> {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PromiseWithResolvers<CallAnswer<T>>>();
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

  async call<M extends keyof T>(
    method: M,
    params: CallParams<T, M>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<CallAnswer<T, M>> {
    if (this.#fault) throw this.#fault;
    const id = this.#nextId++;
    const pending = Promise.withResolvers<CallAnswer<T>>();
    this.#pending.set(id, pending);
    this.#worker.ref();
    this.#worker.postMessage({ id, method, params }, transfer);
    return pending.promise;
  }

  /** Rejects all calls from now on. */
  fail(fault: Error): void {
    this.#fault ??= fault;
    for (const { reject } of this.#pending.values()) reject(this.#fault);
    this.#pending.clear();
  }

  async end(): Promise<void> {
    this.#worker.ref();
    await this.#worker.terminate();
  }

  #receive(reply: Reply<T>): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    // An idle thread must not keep the process from ending.
    if (this.#pending.size === 0) this.#worker.unref();
    if (reply.kind === 'answer') pending?.resolve(reply.value);
    else pending?.reject(reply.code === undefined ? new Error(reply.message) : misuse(reply.code, reply.message));
  }
}

type Handlers<T extends CallTable<T>> = {
  readonly [M in keyof T]: (params: CallParams<T, M>) => CallAnswer<T, M> | Promise<CallAnswer<T, M>>;
};

/** Answers the calls of the window, in the thread. `transferOf` lists the memory of an answer that is handed over and not copied. */
export function answerThreadCalls<T extends CallTable<T>>(
  handlers: Handlers<T>,
  transferOf: (value: CallAnswer<T>) => readonly ArrayBuffer[] = () => [],
): void {
  const port = parentPort;
  if (!port) throw new Error('Start this file as a thread.');
  const answer = async ({ id, method, params }: Sent<T>): Promise<void> => {
    try {
      const value = await handlers[method](params);
      port.postMessage({ kind: 'answer', id, value } satisfies Reply<T>, transferOf(value));
    } catch (thrown) {
      const code = asProjectError(thrown)?.code;
      port.postMessage({ kind: 'failure', id, code, message: messageOf(thrown) } satisfies Reply<T>);
    }
  };
  port.on('message', (sent: Sent<T>) => void answer(sent));
}
