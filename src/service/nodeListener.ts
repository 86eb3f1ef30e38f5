import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../base/logger.ts';
import { serviceCodes, ServiceError } from '../wire/serviceError.ts';
import { errorAnswer, logLine, toServiceError } from './answer.ts';

export type Handler = (request: Request) => Promise<Response>;

/** Largest request body. SQL is text that somebody wrote; data goes in by parameters, a statement at a time. */
const bodyLimit = 8 * 1024 * 1024;

/** A handler behind HTTP on the loopback interface. */
export class NodeListener {
  readonly #server: Server;

  constructor(handler: Handler, logger: Logger) {
    this.#server = createServer((incoming, outgoing) => {
      serve(handler, incoming, outgoing).catch((thrown: unknown) => {
        logger.warn(logLine(thrown));
        outgoing.destroy();
      });
    });
  }

  /** Listens, and gives the base URL. Port 0 means any, the preferred one if it is free. */
  async listen(port: number, preferred = 0): Promise<string> {
    const bound = port === 0 && preferred !== 0 && (await this.#bind(preferred).catch(() => false));
    if (!bound) await this.#bind(port);
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #bind(port: number): Promise<true> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return true;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

async function serve(handler: Handler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new Promise<void>(resolve => outgoing.once('close', resolve));
  let response: Response;
  try {
    refuseForeign(incoming);
    response = await handler(await toRequest(incoming));
  } catch (thrown) {
    response = errorAnswer(toServiceError(thrown));
    outgoing.setHeader('connection', 'close');
  }
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await send(response.body, outgoing, gone);
  outgoing.end();
}

/** Writes at the reader's speed, and stops the source when the reader hangs up. */
async function send(body: ReadableStream<Uint8Array>, outgoing: ServerResponse, gone: Promise<void>): Promise<void> {
  const reader = body.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    if (!outgoing.write(chunk.value)) await drained(outgoing, gone);
    // Reading rows is synchronous work; other requests get their turn between two chunks.
    await new Promise(setImmediate);
    if (outgoing.destroyed) return reader.cancel();
  }
}

function drained(outgoing: ServerResponse, gone: Promise<void>): Promise<void> {
  if (outgoing.destroyed) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  outgoing.once('drain', resolve);
  return Promise.race([promise, gone]).finally(() => outgoing.off('drain', resolve));
}

/** A web page that a person has open must not be able to talk to a service on their machine, not even by renaming it. */
function refuseForeign({ headers }: IncomingMessage): void {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  if (['127.0.0.1', 'localhost', '[::1]'].includes(host) && headers.origin === undefined) return;
  const message = 'Requests from web pages and for foreign host names are refused.';
  throw new ServiceError({ status: 403, code: serviceCodes.forbidden, message });
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const method = incoming.method ?? 'GET';
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined && !name.startsWith(':'))
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const body = method === 'GET' || method === 'HEAD' ? null : await readBody(incoming);
  try {
    return new Request(new URL(`http://${incoming.headers.host}${incoming.url ?? '/'}`), { method, headers, body });
  } catch {
    // Methods that a Request refuses (TRACE, CONNECT), and targets that are no address.
    const message = 'The method or the path of the request cannot be used here.';
    throw new ServiceError({ status: 400, code: serviceCodes.badRequest, message });
  }
}

async function readBody(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) {
      const message = `A request body may have ${bodyLimit} bytes at most.`;
      throw new ServiceError({ status: 413, code: serviceCodes.tooLarge, message });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
