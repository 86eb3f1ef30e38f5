import type { ServerResponse } from 'node:http';
import type { IncomingBody } from './nodeRequest.ts';

interface Sending {
  /** The body of the request. The handler may have left it unread. */
  readonly body: IncomingBody;
  /** Resolves when the client has left. */
  readonly clientLeft: Promise<void>;
  /** Starts a timer for a client that reads nothing, and gives the function that stops it. */
  readonly startTimer: () => () => void;
  /** Called with the bytes of each part of the answer's body. */
  readonly onSent: (bytes: number) => void;
}

/** Writes an answer at the reader's speed, and cancels its source when the reader leaves. */
export async function sendResponse(response: Response, outgoing: ServerResponse, sending: Sending): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  const body: ReadableStream<Uint8Array> | null = response.body;
  const reader = body?.getReader();
  if (reader) {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      sending.onSent(chunk.value.length);
      if (!outgoing.write(chunk.value)) await drained(outgoing, sending);
      if (outgoing.destroyed) return reader.cancel();
    }
  }
  await finish(outgoing, sending);
}

/** Ends the answer when the request has arrived as well, because the connection is used for the next one. */
async function finish(outgoing: ServerResponse, { body, clientLeft }: Sending): Promise<void> {
  if (body.hasArrived) {
    outgoing.end();
    return;
  }
  const { socket } = outgoing.req;
  const isDropped = await Promise.race([body.drop(), clientLeft.then(() => false)]);
  outgoing.end(() => {
    if (!isDropped) socket.destroySoon();
  });
}

async function drained(outgoing: ServerResponse, { clientLeft, startTimer }: Sending): Promise<void> {
  if (outgoing.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  outgoing.once('drain', resolve);
  const stopTimer = startTimer();
  try {
    await Promise.race([promise, clientLeft]);
  } finally {
    stopTimer();
    outgoing.off('drain', resolve);
  }
}
