import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection for raw bytes, for requests that no HTTP client would send. */
export class RawConnection implements AsyncDisposable {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #changed = Promise.withResolvers<void>();
  #over = false;

  /** Opens a connection, unless there is one. */
  constructor(baseUrl: string, socket?: Socket) {
    const { hostname, port } = new URL(baseUrl);
    this.socket = socket ?? connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    this.socket.on('error', () => {});
    this.socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#change();
    });
    for (const event of ['end', 'close']) {
      this.socket.on(event, () => {
        this.#over = true;
        this.#change();
      });
    }
  }

  send(...parts: readonly (string | Buffer)[]): this {
    for (const part of parts) this.socket.write(part);
    return this;
  }

  /** Resolves with the next whole answer. Rejects when the connection ends before. */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const found = parseAnswer(this.#received);
      if (found) {
        this.#received = this.#received.subarray(found.length);
        return found.answer;
      }
      if (this.#over) throw new Error(`The connection ended after ${JSON.stringify(this.#received.toString())}.`);
      await this.#changed.promise;
    }
  }

  /** Resolves when the service has ended the connection. */
  async ended(): Promise<void> {
    while (!this.#over) await this.#changed.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.socket.closed) return;
    this.socket.destroy();
    await once(this.socket, 'close');
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}

/** One request on a connection of its own. */
export async function rawCall(baseUrl: string, ...parts: readonly (string | Buffer)[]): Promise<RawAnswer> {
  await using connection = new RawConnection(baseUrl);
  return await connection.send(...parts).answer();
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Encodes an ordinary request. Adds `host` and `content-length` if they are missing. */
export function requestBytes({ method, path, headers = {}, body }: RawRequest): Buffer {
  const all: Record<string, string> = { host: '127.0.0.1', ...headers };
  if (body !== undefined) all['content-length'] ??= String(Buffer.byteLength(body));
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method ?? (body === undefined ? 'GET' : 'POST')} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body ?? '')]);
}

/** Reads the first answer of some bytes. Undefined while it is incomplete. */
function parseAnswer(bytes: Buffer): { answer: RawAnswer; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(first.split(' ')[1]);
  if (status === 100) {
    const next = parseAnswer(bytes.subarray(end + 4));
    return next && { answer: next.answer, length: next.length + end + 4 };
  }
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const rest = bytes.subarray(end + 4);
  const body = headers['transfer-encoding'] === 'chunked' ? readChunks(rest) : readCounted(rest, headers);
  return body && { answer: { status, headers, body: body.text.toString() }, length: end + 4 + body.length };
}

type Body = { text: Buffer; length: number } | undefined;

function readCounted(bytes: Buffer, headers: Readonly<Record<string, string>>): Body {
  const length = Number(headers['content-length'] ?? 0);
  return bytes.length < length ? undefined : { text: bytes.subarray(0, length), length };
}

function readChunks(bytes: Buffer): Body {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const begin = line + 2;
    if (bytes.length < begin + size + 2) return undefined;
    chunks.push(bytes.subarray(begin, begin + size));
    at = begin + size + 2;
    if (size === 0) return { text: Buffer.concat(chunks), length: at };
  }
}
