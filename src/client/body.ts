import type { Readable } from 'node:stream';
import { systemClock } from '../base/clock.ts';
import { protocolError } from '../base/errors.ts';

/**
 * The chunks of a body. Ends with a timeout if the service is silent for longer than `maxSilenceMs` (0 for no limit) while the
 * reader waits. Time that the reader takes between chunks does not count: it may pause for as long as it likes.
 */
export async function* bodyChunks(body: Readable, maxSilenceMs: number): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const endBody = (): void => void body.destroy(new BodyTimeout());
  for (;;) {
    const cancelTimer = maxSilenceMs > 0 ? systemClock.after(maxSilenceMs, endBody) : undefined;
    const next = await chunks.next().finally(() => cancelTimer?.());
    if (next.done) return;
    yield next.value;
  }
}

/** Has the code of undici's own timeout, so that both are reported in the same way. */
class BodyTimeout extends Error {
  readonly code = 'UND_ERR_BODY_TIMEOUT';
}

/** A whole body as text. A larger body than `maxBytes` is refused while it arrives. */
export async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) {
      throw protocolError('answer_too_large', `The answer is larger than ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw protocolError('invalid_utf8', "The service's answer is not valid UTF-8.");
  }
}

/** The beginning of a body that explains an error. Bytes that are not UTF-8 are replaced. */
export async function readBeginning(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytes) break;
    }
  } catch {
    // The status decides. A fault in the body that explains it changes nothing.
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
