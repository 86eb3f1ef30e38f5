import type { Readable } from 'node:stream';

/**
 * The chunks of a body, which may keep silent for so many milliseconds while somebody waits for the next one. The time
 * that the reader takes for itself does not count: whoever stops to read for an hour finds the rest still there.
 */
export async function* bodyChunks(body: Readable, silence: number): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  for (;;) {
    const timer = silence > 0 ? setTimeout(() => body.destroy(new SilentBody()), silence) : undefined;
    const next = await chunks.next().finally(() => clearTimeout(timer));
    if (next.done) return;
    yield next.value;
  }
}

/** Under the code by which undici would tell of it, so that it means the same. */
class SilentBody extends Error {
  readonly code = 'UND_ERR_BODY_TIMEOUT';
}
