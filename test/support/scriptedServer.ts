import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Client, type ClientOptions, type RetryWait, systemClock } from '../../src/client/index.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The server's reaction to one request. */
export type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

/** The answer to a request that the script does not know. */
type FindAnswer = (request: ReceivedRequest) => Answer | undefined;

/** A real HTTP server that answers by script: each request takes the next answer, and the last one repeats. */
export class ScriptedServer implements AsyncDisposable {
  readonly requests: ReceivedRequest[] = [];
  readonly sockets = new Set<Socket>();
  answers: readonly Answer[];
  readonly #unscripted: FindAnswer;
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const received = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
      const unscripted = this.#unscripted(received);
      if (unscripted) {
        unscripted(response, received);
        return;
      }
      const answer = this.answers[Math.min(this.requests.push(received), this.answers.length) - 1];
      answer?.(response, received);
    });
  });

  /** A request with an unscripted answer is not in the requests. */
  constructor(answers: readonly Answer[], unscripted: FindAnswer = () => undefined) {
    this.answers = answers;
    this.#unscripted = unscripted;
    this.#server.on('connection', socket => {
      this.sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(port = 0): Promise<this> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const socket of this.sockets) socket.destroy();
    if (this.#server.listening) await once(this.#server, 'close');
  }
}

export const startScriptedServer = (...answers: Answer[]): Promise<ScriptedServer> =>
  new ScriptedServer(answers).listen();

/** The same for a window, which tests a new key and asks for the schema of the project at any time. The project has no tables. */
export const startScriptedProject = (...answers: Answer[]): Promise<ScriptedServer> =>
  new ScriptedServer(answers, answerToWindow).listen();

/** Whether a window asks for the schema of a project. */
export const asksForSchema = (body: string): boolean => body.includes('tbl_name, sql FROM sqlite_schema');

function answerToWindow({ method, path, body }: ReceivedRequest): Answer | undefined {
  const projectId = /\/projects\/([^/]+)\/status$/.exec(path)?.[1];
  if (method === 'GET' && projectId !== undefined) return reply({ project_id: projectId, is_active: true });
  if (asksForSchema(body)) return reply({ rows: [], columns: [], ok: true });
  if (body.includes('SELECT sqlite_version()')) return reply({ rows: [{ version: '3.50.0', tables: 0 }], ok: true });
  return undefined;
}

/** Answers with a status and a body; an object is sent as JSON. */
export function reply(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
}

/** Cuts the connection without an answer. */
export const reset: Answer = response => response.socket?.resetAndDestroy();

/** Never answers. */
export const stall: Answer = () => {};

/** A client whose waits before retries end at once. It records them. Time limits are as long as they say. */
export function testClient(server: ScriptedServer, options: Partial<ClientOptions> = {}): Client & { waits: number[] } {
  const waits: number[] = [];
  let isRetryNext = false;
  const clock = {
    now: () => Date.parse('2026-01-01T00:00:00Z'),
    after: (milliseconds: number, callback: () => void) => {
      if (!isRetryNext) return systemClock.after(milliseconds, callback);
      isRetryNext = false;
      waits.push(milliseconds);
      queueMicrotask(callback);
      return () => {};
    },
  };
  // The client announces a wait just before it sets its timer.
  const onWait = (wait: RetryWait): void => {
    isRetryNext = true;
    options.onWait?.(wait);
  };
  const client = new Client({ baseUrl: server.url, clock, random: () => 1, ...options, onWait });
  return Object.assign(client, { waits });
}

/** Resolves with the reason that a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (thrown) {
    return thrown;
  }
  throw new Error('The promise was fulfilled.');
}

/** A stream that stays open after its first two rows. */
export const openStream: Answer = response => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"rows":[{"a":1},{"a":2}');
};
