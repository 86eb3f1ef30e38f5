import type { IncomingMessage } from 'node:http';
import { serviceCodes, ServiceError } from '../wire/serviceError.ts';

/** Largest request body. SQL is text that somebody wrote; data goes in by parameters, a statement at a time. */
export const bodyLimit = 8 * 1024 * 1024;

/** What came in by node:http as a web-standard Request, with its whole body. */
export async function toRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const method = incoming.method ?? 'GET';
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const body = method === 'GET' || method === 'HEAD' ? null : await readBody(incoming);
  try {
    const url = new URL(`http://${incoming.headers.host}${incoming.url ?? '/'}`);
    return new Request(url, { method, headers, body, signal });
  } catch {
    // Methods that a Request refuses (TRACE, CONNECT), and targets that are no address.
    const message = 'The method or the path of the request cannot be used here.';
    throw new ServiceError({ status: 400, code: serviceCodes.badRequest, message });
  }
}

async function readBody(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(incoming.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  // What is too much is still taken from the socket, and dropped: a client that sends hears the answer only then.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): ServiceError {
  const message = `A request body may have ${bodyLimit} bytes at most.`;
  return new ServiceError({ status: 413, code: serviceCodes.tooLarge, message });
}
