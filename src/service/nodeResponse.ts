import type { ServerResponse } from 'node:http';

interface Sending {
  /** Resolves when the client is gone. */
  readonly gone: Promise<void>;
  /** Watches over a client that takes nothing; the answer ends the watch. */
  readonly watch: () => () => void;
}

/** Writes an answer at the reader's speed, and stops its source when the reader hangs up. */
export async function sendResponse(response: Response, outgoing: ServerResponse, sending: Sending): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  const reader = response.body?.getReader();
  if (reader) {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      if (!outgoing.write(chunk.value)) await drained(outgoing, sending);
      if (outgoing.destroyed) return reader.cancel();
    }
  }
  outgoing.end();
}

async function drained(outgoing: ServerResponse, { gone, watch }: Sending): Promise<void> {
  if (outgoing.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  outgoing.once('drain', resolve);
  const endWatch = watch();
  try {
    await Promise.race([promise, gone]);
  } finally {
    endWatch();
    outgoing.off('drain', resolve);
  }
}
