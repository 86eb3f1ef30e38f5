import type { ServerResponse } from 'node:http';

interface Sending {
  /** Resolves when the client has left. */
  readonly gone: Promise<void>;
  /** Starts a timer for a client that reads nothing, and gives the function that stops it. */
  readonly startTimer: () => () => void;
}

/** Writes an answer at the reader's speed, and cancels its source when the reader leaves. */
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

async function drained(outgoing: ServerResponse, { gone, startTimer }: Sending): Promise<void> {
  if (outgoing.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  outgoing.once('drain', resolve);
  const stopTimer = startTimer();
  try {
    await Promise.race([promise, gone]);
  } finally {
    stopTimer();
    outgoing.off('drain', resolve);
  }
}
