import type { Disposable } from '../base/disposable.ts';
import { misuse, ProjectError, protocolError } from '../base/errors.ts';
import {
  type AnswerOf,
  type Bridge,
  type CallArguments,
  decodeEnvelope,
  type BridgeMessage,
  type EventTable,
  type Listeners,
  type MethodTable,
} from './bridge.ts';
import type { Clock } from '../base/clock.ts';

interface BridgeClientOptions<E extends EventTable> {
  readonly send: (envelope: BridgeMessage) => void;
  readonly listeners: Listeners<E>;
  /** Called for an event that cannot be decoded. */
  readonly onError: (error: ProjectError) => void;
  /** Watches whether the host still answers. */
  readonly silence?: Pick<SilenceWatchOptions, 'clock' | 'onSilence'>;
}

interface PageCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Leaves room for any number of calls after it. */
const maxFirstId = 2 ** 52;

/** The most calls at once. More come from a fault of the page. */
const maxPendingCalls = 1000;

/** The page's end of a bridge: it calls the host and hears its events. */
export class BridgeClient<M extends MethodTable, E extends EventTable> implements Disposable {
  readonly #bridge: Bridge<M, E>;
  readonly #options: BridgeClientOptions<E>;
  readonly #pendingCalls = new Map<number, PageCall>();
  /** Random, because a page that is loaded anew must not take the answers to calls of the page before. */
  #lastId = Math.floor(Math.random() * maxFirstId);
  readonly #silence: SilenceWatch | undefined;
  #isClosed = false;

  constructor(bridge: Bridge<M, E>, options: BridgeClientOptions<E>) {
    this.#bridge = bridge;
    this.#options = options;
    const { send, silence } = options;
    this.#silence = silence && new SilenceWatch({ ...silence, ping: () => send({ kind: 'ping' }) });
  }

  /** Takes a message of the host. Anything but an envelope is ignored: windows post all sorts of messages. */
  receive(message: unknown): void {
    const envelope = decodeEnvelope(message);
    if (!envelope || this.#isClosed) return;
    this.#silence?.heard();
    if (envelope.kind === 'event') this.#hear(envelope.name, envelope.payload);
    else if (envelope.kind === 'result') this.#take(envelope.id)?.resolve(envelope.value);
    else if (envelope.kind === 'failure') {
      this.#take(envelope.id)?.reject(new ProjectError('service', envelope.code, envelope.message));
    }
  }

  /** The decoded answer of the host. An answer that cannot be decoded rejects. */
  async call<Name extends keyof M & string>(
    method: Name,
    ...[params, signal]: CallArguments<M[Name]>
  ): Promise<AnswerOf<M[Name]>> {
    const value = await this.#request(method, params, signal);
    const decode = this.#bridge.methods[method]?.answer;
    if (!decode) return undefined as AnswerOf<M[Name]>;
    const answer = decode(value);
    if (answer === undefined) throw protocolError('bad_answer', `The answer to ${method} cannot be read.`);
    return answer as AnswerOf<M[Name]>;
  }

  dispose(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#silence?.end();
    for (const { reject } of this.#pendingCalls.values()) reject(closedError());
    this.#pendingCalls.clear();
  }

  async #request(method: string, params: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw closedError();
    if (this.#pendingCalls.size >= maxPendingCalls) throw misuse('too_many_calls', 'Too many calls at once.');
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pendingCalls.set(id, { resolve, reject });
    const abort = (): void => {
      this.#take(id)?.reject(signal?.reason);
      this.#options.send({ kind: 'abort', id });
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.#options.send({ kind: 'request', id, method, params });
    this.#silence?.begin();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  #take(id: number): PageCall | undefined {
    const call = this.#pendingCalls.get(id);
    this.#pendingCalls.delete(id);
    return call;
  }

  #hear(name: string, payload: unknown): void {
    const { events } = this.#bridge;
    const decoded = Object.hasOwn(events, name) ? events[name]?.(payload) : undefined;
    if (decoded === undefined) {
      this.#options.onError(protocolError('bad_event', `The event ${name} cannot be read.`));
      return;
    }
    const listener = this.#options.listeners[name] as (payload: unknown) => void;
    listener(decoded);
  }
}

const closedError = (): ProjectError => new ProjectError('closed', 'bridge_closed', 'The bridge is closed.');

/** After half of this time, the host is asked whether it is there. A call may take longer: it may wait for the user. */
const silenceMs = 5000;

interface SilenceWatchOptions {
  readonly clock: Clock;
  readonly ping: () => void;
  /** Called when the host has sent nothing for a while, although a call waits, and when it is heard again. */
  readonly onSilence: (isSilent: boolean) => void;
}

/** Finds out that the host has ended while a call waits for it: messages to a dead extension host go nowhere, without an error. */
class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #cancelTimer: (() => void) | undefined;
  #isSilent = false;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** A call was sent. */
  begin(): void {
    if (this.#cancelTimer) return;
    const { clock, ping } = this.#options;
    this.#cancelTimer = clock.after(silenceMs / 2, () => {
      this.#cancelTimer = clock.after(silenceMs / 2, () => {
        this.#cancelTimer = undefined;
        this.#tell(true);
      });
      ping();
    });
  }

  /** The host has sent something. */
  heard(): void {
    this.end();
    this.#tell(false);
  }

  end(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #tell(isSilent: boolean): void {
    if (this.#isSilent === isSilent) return;
    this.#isSilent = isSilent;
    this.#options.onSilence(isSilent);
  }
}
