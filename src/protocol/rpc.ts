import type { Disposable } from '../base/disposable.ts';
import { messageOf, ProjectError } from '../base/errors.ts';
import { asCount, asRecord, asString } from '../base/shape.ts';

/**
 * Calls between two processes that can only post messages. Every request gets a result, a failure or an abort; closing
 * rejects what is pending. A failure carries a code and a sentence, never a stack or a cause.
 */
export type Envelope =
  | { readonly kind: 'request'; readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly code: string; readonly message: string }
  | { readonly kind: 'event'; readonly name: string; readonly payload: unknown };

export function decodeEnvelope(message: unknown): Envelope | undefined {
  const record = asRecord(message);
  const id = asCount(record?.['id']);
  const kind = record?.['kind'];
  if (!record) return undefined;
  if (kind === 'event') {
    const name = asString(record['name']);
    return name === undefined ? undefined : { kind, name, payload: record['payload'] };
  }
  if (id === undefined) return undefined;
  if (kind === 'abort') return { kind, id };
  if (kind === 'result') return { kind, id, value: record['value'] };
  if (kind === 'failure') {
    return { kind, id, code: asString(record['code']) ?? '', message: asString(record['message']) ?? '' };
  }
  const method = asString(record['method']);
  return kind === 'request' && method !== undefined ? { kind, id, method, params: record['params'] } : undefined;
}

/** What one side offers: each method gets its undecoded parameters and a signal, and may answer later. */
export type Methods = Readonly<Record<string, (params: unknown, signal: AbortSignal) => unknown>>;

export interface PeerOptions {
  readonly send: (envelope: Envelope) => void;
  readonly methods?: Methods;
  readonly onEvent?: (name: string, payload: unknown) => void;
  /** What the other side is told of a failure of one of our methods. */
  readonly describe?: (thrown: unknown) => { code: string; message: string };
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** What a failure is called that somebody wanted: the call was ended. */
export const abortedCode = 'aborted';

/** Leaves room for any number of calls behind it. */
const mostFirstId = 2 ** 52;

/** More calls than this at once mean that something is wrong on this side. */
const mostPending = 1000;

export class RpcPeer implements Disposable {
  readonly #options: PeerOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #running = new Map<number, AbortController>();
  /** A page that is shown again begins anew, and must not take answers to calls of the page before for those to its own. */
  #lastId = Math.floor(Math.random() * mostFirstId);
  #closed = false;

  constructor(options: PeerOptions) {
    this.#options = options;
  }

  /** Takes what the other side posted. What is no envelope is passed over: windows post all sorts of things. */
  receive(message: unknown): void {
    const envelope = decodeEnvelope(message);
    if (!envelope || this.#closed) return;
    switch (envelope.kind) {
      case 'request':
        void this.#serve(envelope.id, envelope.method, envelope.params);
        break;
      case 'abort':
        this.#running.get(envelope.id)?.abort();
        break;
      case 'event':
        this.#options.onEvent?.(envelope.name, envelope.payload);
        break;
      case 'result':
        this.#take(envelope.id)?.resolve(envelope.value);
        break;
      case 'failure':
        this.#take(envelope.id)?.reject(new ProjectError('service', envelope.code, envelope.message));
        break;
    }
  }

  async call(method: string, params?: unknown, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#closed) throw new ProjectError('closed', 'peer_closed', 'The other side is gone.');
    if (this.#pending.size >= mostPending)
      throw new ProjectError('misuse', 'too_many_calls', 'Too many calls at once.');
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(id, { resolve, reject });
    const abort = (): void => {
      this.#take(id)?.reject(signal?.reason);
      this.#options.send({ kind: 'abort', id });
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.#options.send({ kind: 'request', id, method, params });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  notify(name: string, payload: unknown): void {
    if (!this.#closed) this.#options.send({ kind: 'event', name, payload });
  }

  dispose(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const { reject } of this.#pending.values()) {
      reject(new ProjectError('closed', 'peer_closed', 'The other side is gone.'));
    }
    this.#pending.clear();
    for (const controller of this.#running.values()) controller.abort();
    this.#running.clear();
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  async #serve(id: number, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    let answer: Envelope;
    try {
      const { methods = {} } = this.#options;
      if (!Object.hasOwn(methods, method)) throw new ProjectError('misuse', 'no_such_method', `No method ${method}.`);
      answer = { kind: 'result', id, value: await methods[method]?.(params, controller.signal) };
    } catch (thrown) {
      answer = { kind: 'failure', id, ...(this.#options.describe ?? plainly)(thrown) };
    }
    if (this.#running.get(id) === controller) this.#running.delete(id);
    if (!this.#closed && !controller.signal.aborted) this.#options.send(answer);
  }
}

function plainly(thrown: unknown): { code: string; message: string } {
  return { code: thrown instanceof ProjectError ? thrown.code : 'internal_error', message: messageOf(thrown) };
}
