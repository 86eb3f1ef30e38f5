import type { IncomingMessage } from 'node:http';
import { serviceCodes, ServiceError } from '../wire/serviceError.ts';

/** Largest request body. SQL is text that somebody wrote; data goes in by parameters, a statement at a time. */
export const bodyLimit = 8 * 1024 * 1024;

/** What came in by node:http as a web-standard Request, with its whole body. */
export async function toRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const method = incoming.method ?? 'GET';
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const body = method === 'GET' || method === 'HEAD' ? null : await readBody(incoming);
  const path = incoming.url ?? '';
  if (!path.startsWith('/')) throw unusable();
  try {
    return new Request(`http://${incoming.headers.host}${path}`, { method, headers, body, signal });
  } catch {
    // Methods that a Request refuses, such as TRACE.
    throw unusable();
  }
}

function unusable(): ServiceError {
  const message = 'The method or the path of the request cannot be used here.';
  return new ServiceError({ status: 400, code: serviceCodes.badRequest, message });
}

async function readBody(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(incoming.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge();
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  let chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= bodyLimit) {
      chunks.push(chunk);
      return;
    }
    // The rest is taken and dropped: a client that still sends hears no answer, nor does it seem to leave.
    chunks = [];
    reject(tooLarge());
  });
  incoming.once('end', () => resolve(Buffer.concat(chunks))).once('error', reject);
  return promise;
}

function tooLarge(): ServiceError {
  const message = `A request body may have ${bodyLimit} bytes at most.`;
  return new ServiceError({ status: 413, code: serviceCodes.tooLarge, message });
}
