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
  /** Reports that the host no longer answers. */
  readonly silence?: Pick<SilenceWatchOptions, 'clock' | 'onSilence'>;
}

/** Ids count up from the first one and stay safe integers. */
const maxFirstId = 2 ** 52;

/** A page with more pending calls has a fault. */
const maxPendingCalls = 1000;

/** The page's end of a bridge: it calls the host and hears its events. */
export class BridgeClient<M extends MethodTable, E extends EventTable> {
  readonly #bridge: Bridge<M, E>;
  readonly #options: BridgeClientOptions<E>;
  readonly #pendingCalls = new Map<number, PromiseWithResolvers<unknown>>();
  /** Begins at random: a reloaded page must not take answers to calls of the page before. */
  #lastId = Math.floor(Math.random() * maxFirstId);
  readonly #silence: ReturnType<typeof silenceWatch> | undefined;

  constructor(bridge: Bridge<M, E>, options: BridgeClientOptions<E>) {
    this.#bridge = bridge;
    this.#options = options;
    const { send, silence } = options;
    this.#silence = silence && silenceWatch({ ...silence, ping: () => send({ kind: 'ping' }) });
  }

  /** Ignores anything but an envelope: windows post all sorts of messages. */
  receive(message: unknown): void {
    const envelope = decodeEnvelope(message);
    if (!envelope) return;
    this.#silence?.onMessage();
    if (envelope.kind === 'event') this.#hear(envelope.name, envelope.payload);
    else if (envelope.kind === 'result') this.#take(envelope.id)?.resolve(envelope.value);
    else if (envelope.kind === 'failure') {
      this.#take(envelope.id)?.reject(new ProjectError('service', envelope.code, envelope.message));
    }
  }

  /** Rejects if the answer cannot be decoded. */
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

  async #request(method: string, params: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#pendingCalls.size >= maxPendingCalls) throw misuse('too_many_calls', 'Too many calls at once.');
    const id = ++this.#lastId;
    const call = Promise.withResolvers<unknown>();
    this.#pendingCalls.set(id, call);
    const abort = (): void => {
      this.#take(id)?.reject(signal?.reason);
      this.#options.send({ kind: 'abort', id });
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.#options.send({ kind: 'request', id, method, params });
    this.#silence?.onRequest();
    try {
      return await call.promise;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  #take(id: number): PromiseWithResolvers<unknown> | undefined {
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

/** A host that sends nothing for so long is silent. It gets a ping at half time, because a call may wait for the user. */
const silenceMs = 5000;

interface SilenceWatchOptions {
  readonly clock: Clock;
  readonly ping: () => void;
  /** Called when a call waits and the host is silent, and when the host is heard again. */
  readonly onSilence: (isSilent: boolean) => void;
}

/** Finds out that the host has ended while a call waits. A message to a dead extension host gets no error. */
function silenceWatch({ clock, ping, onSilence }: SilenceWatchOptions) {
  let cancelTimer: (() => void) | undefined;
  let isSilent = false;
  const report = (isNowSilent: boolean): void => {
    if (isSilent === isNowSilent) return;
    isSilent = isNowSilent;
    onSilence(isSilent);
  };
  return {
    onRequest(): void {
      cancelTimer ??= clock.after(silenceMs / 2, () => {
        cancelTimer = clock.after(silenceMs / 2, () => {
          cancelTimer = undefined;
          report(true);
        });
        ping();
      });
    },

    onMessage(): void {
      cancelTimer?.();
      cancelTimer = undefined;
      report(false);
    },
  };
}
