import type { Readable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { protocolError } from '../base/errors.ts';

/**
 * Fails with a timeout if the service is silent for longer than `maxSilenceMs` while the reader waits. 0 is no limit.
 * The reader may pause between chunks for as long as it likes.
 */
export async function* bodyChunks(
  body: Readable,
  maxSilenceMs: number,
  clock: Clock,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const endBody = (): void => void body.destroy(timeoutError('UND_ERR_BODY_TIMEOUT'));
  for (;;) {
    const cancelTimer = maxSilenceMs > 0 ? clock.after(maxSilenceMs, endBody) : undefined;
    const next = await chunks.next().finally(() => cancelTimer?.());
    if (next.done) return;
    yield next.value;
  }
}

/** Has the code of undici's own timeout, so that both are reported in the same way. */
export const timeoutError = (code: 'UND_ERR_BODY_TIMEOUT' | 'UND_ERR_HEADERS_TIMEOUT'): Error =>
  Object.assign(new Error(), { code });

/** Refuses a body of more than `maxBytes` while it arrives. */
export async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) {
      const message = `The answer is larger than ${maxBytes} bytes. Select less with a statement, or check the address of the service.`;
      throw protocolError('answer_too_large', message);
    }
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw protocolError('invalid_utf8', "The service's answer is not valid UTF-8.");
  }
}

/**
 * Reads what arrives of a body that explains an error. `maxMs` is for the whole body, even if bytes arrive, and 0 is no limit.
 * Bytes that are not UTF-8 are replaced, and no character is cut in half. `isCut` says that there are, or may be, more bytes.
 */
export async function readBeginning(
  { chunks, destroy }: { readonly chunks: AsyncIterable<Uint8Array>; readonly destroy: () => void },
  { maxBytes, maxMs, clock }: { readonly maxBytes: number; readonly maxMs: number; readonly clock: Clock },
) {
  const read: Uint8Array[] = [];
  let length = 0;
  let isCut = true;
  let isLate = false;
  const endBody = (): void => {
    isLate = true;
    destroy();
  };
  const cancelTimer = maxMs > 0 ? clock.after(maxMs, endBody) : undefined;
  try {
    for await (const chunk of chunks) {
      read.push(chunk.subarray(0, maxBytes - length));
      length += chunk.length;
      if (length > maxBytes) break;
    }
    isCut = isLate || length > maxBytes;
  } catch {
    // The status is the error. A fault in its body changes nothing.
  } finally {
    cancelTimer?.();
  }
  return { text: new TextDecoder().decode(Buffer.concat(read), { stream: isCut }), isCut };
}
