/** Loads a service from many connections. The callers cost little, so that they do not slow the service. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { headerNames } from '../../src/wire/headers.ts';

export interface LoadTarget {
  readonly baseUrl: string;
  readonly path: string;
  readonly apiKey: string;
}

/** Encodes a call. Calls without an idempotency key share the bytes. */
export function callBytes({ baseUrl, path, apiKey }: LoadTarget, body: object, idempotencyKey?: string): Buffer {
  const text = JSON.stringify(body);
  const { host } = new URL(baseUrl);
  const key = idempotencyKey === undefined ? '' : `${headerNames.idempotencyKey}: ${idempotencyKey}\r\n`;
  const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${apiKey}\r\ncontent-type: application/json\r\n${key}`;
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

export async function openSocket(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** One connection. Its calls follow each other. */
export class Caller implements AsyncDisposable {
  readonly #socket: Socket;
  #text = '';
  #answered: ((status: number) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString('latin1');
      if (!isWhole(this.#text)) return;
      const status = Number(this.#text.slice(9, 12));
      this.#text = '';
      this.#answered?.(status);
    });
  }

  static async open(baseUrl: string): Promise<Caller> {
    return new Caller(await openSocket(baseUrl));
  }

  /** Sends a call and resolves with the status when the whole answer has arrived. */
  async call(bytes: Buffer): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#answered = resolve;
    this.#socket.write(bytes);
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#socket, 'close');
    this.#socket.destroy();
    await closed;
  }
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n');
  if (head === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, head + 2))?.[1];
  return length === undefined ? answer.endsWith('\r\n0\r\n\r\n') : answer.length === head + 4 + Number(length);
}
