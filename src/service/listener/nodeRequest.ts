import type { IncomingMessage } from 'node:http';
import type { ServiceError } from '../../wire/serviceError.ts';
import { badRequest } from '../faults.ts';

/** How much of an unread body is dropped to use the connection again. */
const maxDroppedBytes = 16 * 1024 * 1024;

/**
 * Turns a request of node:http into a web-standard Request. Its body is not read before the handler reads it. Its signal never
 * aborts: a Request that follows another signal outlives its call until the next full garbage collection.
 */
export function toRequest(incoming: IncomingMessage, body: IncomingBody): Request {
  const method = incoming.method ?? 'GET';
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const path = incoming.url ?? '';
  if (!path.startsWith('/')) throw unusableRequest();
  const hasBody = method !== 'GET' && method !== 'HEAD';
  try {
    return new Request(`http://${incoming.headers.host}${path}`, {
      method,
      headers,
      body: hasBody ? body.stream() : null,
      duplex: 'half',
    });
  } catch {
    // A Request refuses some methods, such as TRACE.
    throw unusableRequest();
  }
}

const unusableRequest = (): ServiceError =>
  badRequest(
    'The method or the path of the request is not allowed here. Use GET or POST, and a path that begins with a slash.',
  );

/** The body of a request, read piece by piece or dropped. */
export class IncomingBody {
  readonly #incoming: IncomingMessage;
  /** Tells the client to send the body. Undefined if the client does not wait for that. */
  #callForBody: (() => void) | undefined;
  #stopReading = (): void => {};

  constructor(incoming: IncomingMessage, callForBody: (() => void) | undefined) {
    this.#incoming = incoming;
    this.#callForBody = callForBody;
  }

  get hasArrived(): boolean {
    return this.#incoming.complete;
  }

  /** Whether dropping the rest frees the connection. A client that waits for `100 Continue` may or may not send its body. */
  get isDroppable(): boolean {
    if (this.hasArrived) return true;
    return !this.#callForBody && Number(this.#incoming.headers['content-length'] ?? 0) <= maxDroppedBytes;
  }

  stream(): ReadableStream<Uint8Array> {
    const incoming = this.#incoming;
    let hasBegun = false;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      if (!hasBegun) this.#begin(controller);
      hasBegun = true;
      incoming.resume();
    };
    return new ReadableStream({ pull, cancel: () => this.#stopReading() }, { highWaterMark: 0 });
  }

  /** Reads and drops the rest: a client that still sends reads no answer. Returns false if the rest is too long. */
  async drop(): Promise<boolean> {
    const incoming = this.#incoming;
    this.#stopReading();
    if (this.hasArrived || this.#callForBody) return this.hasArrived;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let droppedBytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      droppedBytes += chunk.length;
      if (droppedBytes <= maxDroppedBytes) return;
      incoming.pause();
      resolve(false);
    });
    incoming.once('end', () => resolve(true)).once('close', () => resolve(false));
    incoming.resume();
    return promise;
  }

  #begin(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const incoming = this.#incoming;
    this.#callForBody?.();
    this.#callForBody = undefined;
    const onData = (chunk: Buffer): void => {
      // The next piece waits until somebody reads it.
      incoming.pause();
      controller.enqueue(chunk);
    };
    const onEnd = (): void => controller.close();
    const onError = (thrown: unknown): void => controller.error(thrown);
    incoming.on('data', onData).once('end', onEnd).once('error', onError);
    this.#stopReading = () => incoming.off('data', onData).off('end', onEnd);
  }
}
