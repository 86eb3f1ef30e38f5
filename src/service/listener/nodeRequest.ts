import type { IncomingMessage } from 'node:http';
import { serviceCodes, ServiceError } from '../../wire/serviceError.ts';

/** The largest request body. It has room for any statement that people write; bulk data comes as parameters of many calls. */
export const maxBodyBytes = 8 * 1024 * 1024;

/** Turns a request of node:http into a web-standard Request with its complete body. */
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
    // A Request refuses some methods, such as TRACE.
    throw unusable();
  }
}

function unusable(): ServiceError {
  const message = 'The method or the path of the request is not allowed here.';
  return new ServiceError({ status: 400, code: serviceCodes.badRequest, message });
}

async function readBody(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge();
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  let chunks: Buffer[] = [];
  let sizeBytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes <= maxBodyBytes) {
      chunks.push(chunk);
      return;
    }
    // The rest is read and dropped: a client that is still sending reads no answer.
    chunks = [];
    reject(tooLarge());
  });
  incoming.once('end', () => resolve(Buffer.concat(chunks))).once('error', reject);
  return promise;
}

function tooLarge(): ServiceError {
  const message = `The body of the request has more than ${maxBodyBytes} bytes. Send fewer or shorter values.`;
  return new ServiceError({ status: 413, code: serviceCodes.tooLarge, message });
}
