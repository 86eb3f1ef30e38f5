import { Agent, type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Clock, monotonicClock } from '../../../base/clock.ts';

export interface StoreRequest {
  readonly path: string;
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** A connection is used again only within this time after its last call. The process closes it after five idle seconds. */
const reuseMs = 3000;

/** The connections to one process. `fetch` would need three times the processor time. */
export class StoreConnections {
  readonly #port: number;
  readonly #clock: Clock;
  readonly #agent = new Agent({ keepAlive: true, timeout: reuseMs });
  readonly #lastSent = new WeakMap<Duplex, number>();

  constructor(port: number, clock: Clock = monotonicClock) {
    this.#port = port;
    this.#clock = clock;
  }

  /** Resolves when the answer begins. */
  async send({ path, body, headers, signal }: StoreRequest): Promise<IncomingMessage> {
    this.#closeOld();
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const sent = request({
      agent: this.#agent,
      host: '127.0.0.1',
      port: this.#port,
      method: 'POST',
      path,
      headers: { ...headers, 'content-length': length },
      ...(signal && { signal }),
    });
    sent.once('socket', socket => this.#lastSent.set(socket, this.#clock.now()));
    // An error after the beginning of the answer is that of the answer.
    sent.once('response', resolve).on('error', reject).end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** The timer of a connection comes too late if this process was stopped or busy: the other process has closed it already. */
  #closeOld(): void {
    const now = this.#clock.now();
    for (const socket of Object.values(this.#agent.freeSockets).flatMap(sockets => sockets ?? [])) {
      if (now - (this.#lastSent.get(socket) ?? 0) >= reuseMs) socket.destroy();
    }
  }
}
