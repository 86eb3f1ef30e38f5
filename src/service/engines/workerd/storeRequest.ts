import { Agent, type IncomingMessage, request } from 'node:http';

export interface StoreRequest {
  readonly path: string;
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** How long a connection is kept for the next call. The process closes it after five seconds. */
const idleMs = 3000;

/** The connections to one process. `fetch` would need three times the processor time. */
export class StoreConnections {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, timeout: idleMs });

  constructor(port: number) {
    this.#port = port;
  }

  /** Resolves when the answer begins. */
  async send({ path, body, headers, signal }: StoreRequest): Promise<IncomingMessage> {
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
    // An error behind the beginning of the answer is that of the answer.
    sent.once('response', resolve).on('error', reject).end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}
