import type { Infer } from '../base/decode.ts';
import type { Disposable } from '../base/disposable.ts';
import { misuse, type ProjectError } from '../base/errors.ts';
import { decodeEnvelope, type BridgeMessage, type EventTable, type ServedMethods } from './bridge.ts';

interface BridgeServerOptions {
  readonly send: (envelope: BridgeMessage) => void;
  readonly methods: ServedMethods;
  /** Turns an error of a method into the failure that the page gets. */
  readonly describe: (thrown: unknown) => Pick<ProjectError, 'code' | 'message'>;
}

/** The host's end of a bridge: it answers the page's calls and sends events. */
export class BridgeServer<E extends EventTable> implements Disposable {
  readonly #options: BridgeServerOptions;
  readonly #calls = new Map<number, AbortController>();
  #isClosed = false;

  constructor(options: BridgeServerOptions) {
    this.#options = options;
  }

  /** Ignores anything but an envelope: windows post all sorts of messages. */
  receive(message: unknown): void {
    const envelope = decodeEnvelope(message);
    if (!envelope || this.#isClosed) return;
    if (envelope.kind === 'request') void this.#answer(envelope.id, envelope.method, envelope.params);
    else if (envelope.kind === 'ping') this.#options.send({ kind: 'pong' });
    else if (envelope.kind === 'abort') this.#calls.get(envelope.id)?.abort();
  }

  notify<Name extends keyof E & string>(name: Name, payload: Infer<E[Name]>): void {
    if (!this.#isClosed) this.#options.send({ kind: 'event', name, payload });
  }

  dispose(): void {
    this.#isClosed = true;
    for (const call of this.#calls.values()) call.abort();
    this.#calls.clear();
  }

  async #answer(id: number, method: string, params: unknown): Promise<void> {
    const { methods, send, describe } = this.#options;
    const call = new AbortController();
    this.#calls.set(id, call);
    let answer: BridgeMessage;
    try {
      if (!Object.hasOwn(methods, method)) throw misuse('no_such_method', `No method ${method}.`);
      answer = { kind: 'result', id, value: await methods[method]?.(params, call.signal) };
    } catch (thrown) {
      answer = { kind: 'failure', id, ...describe(thrown) };
    }
    if (this.#calls.get(id) === call) this.#calls.delete(id);
    if (!this.#isClosed && !call.signal.aborted) send(answer);
  }
}
