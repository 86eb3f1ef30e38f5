import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { ServiceError } from '../../wire/serviceError.ts';
import { headerNames } from '../../wire/headers.ts';
import { endsAtService } from '../../wire/serviceProof.ts';
import { errorAnswer, logLine, toServiceError } from '../http/answer.ts';
import { type CallNotes, newCallNotes } from '../http/callNotes.ts';
import type { Handler } from '../http/handler.ts';
import { RateLimiter } from '../http/rateLimiter.ts';
import type { WatchedCall } from '../observation/watchedCall.ts';
import { answerFaultyClient } from './faultyClient.ts';
import { inUrl, refuseForeignHost } from './foreignRequests.ts';
import { IncomingBody, toRequest } from './nodeRequest.ts';

/** How long a client may take, in milliseconds. */
export interface ClientTimeouts {
  /** To send the head of a request. */
  readonly head: number;
  /** To send a whole request. */
  readonly request: number;
  /** Between two requests on one connection. */
  readonly idle: number;
  /** Without reading anything of a complete answer. */
  readonly reading: number;
  /** Without reading anything of a streamed answer, which needs a key. */
  readonly pausing: number;
  /** To read the rest of its answers when the service stops. */
  readonly stopping: number;
}

const minute = 60_000;
export const defaultTimeouts: ClientTimeouts = {
  head: 10_000,
  request: minute,
  idle: minute,
  reading: minute,
  // Longer than the engine lets rows wait. Until then a pausing reader holds only a connection, and it hears the reason.
  pausing: 60 * minute,
  stopping: 3_000,
};
export const defaultMaxConnections = 1024;
/** How many connections beyond the limit are accepted, so that their calls get an answer that refuses them. */
const maxRefusedConnections = 1024;
/**
 * With more connections than this share of the limit, each connection ends after its next answer, which makes room for others.
 * An idle connection is not closed: its next request may be on its way.
 */
const crowdedShare = 0.95;
const maxHeaderBytes = 16 * 1024;

interface ListenerParts {
  readonly handler: Handler;
  /** The address or name to listen on. */
  readonly host: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timeouts: ClientTimeouts;
  /** How many connections are served at the same time. */
  readonly maxConnections?: number | undefined;
  /** Makes the observer of a request that has arrived. */
  readonly observe?: (headers: IncomingHttpHeaders) => WatchedCall;
}

/** Serves a handler over HTTP/1.1. */
export class NodeListener {
  readonly #parts: ListenerParts;
  readonly #timeouts: ClientTimeouts;
  readonly #server: Server;
  /** Connections with an answer under way. */
  readonly #answering = new Set<Socket>();
  /** Connections that count towards the limit. */
  readonly #admitted = new Set<Socket>();
  /** The newest request of each connection. A client may send a request before it has the answers to earlier ones. */
  readonly #newest = new WeakMap<Socket, ServerResponse>();
  readonly #maxConnections: number;
  /** Requests whose answers have not ended. */
  readonly #underWay = new Set<ServerResponse>();
  #stoppingSince: number | undefined;
  #onEnded = (_request: ServerResponse): void => {};

  constructor(parts: ListenerParts) {
    this.#parts = parts;
    this.#timeouts = parts.timeouts;
    const { head, request, idle } = this.#timeouts;
    const options = {
      headersTimeout: head,
      requestTimeout: request,
      keepAliveTimeout: idle,
      connectionsCheckingInterval: Math.min(1000, head),
      maxHeaderSize: maxHeaderBytes,
      // The service refuses a request without a Host with its own message.
      requireHostHeader: false,
    };
    const serve = (incoming: IncomingMessage, outgoing: ServerResponse, callForBody?: () => void): void => {
      this.#serve(incoming, outgoing, new IncomingBody(incoming, callForBody)).catch((thrown: unknown) => {
        parts.logger.warn(logLine(thrown));
        // A clean end would look like a complete answer.
        outgoing.socket?.resetAndDestroy();
      });
    };
    this.#server = createServer(options, (incoming, outgoing) => serve(incoming, outgoing));
    this.#server.on('checkContinue', (incoming, outgoing) => serve(incoming, outgoing, () => outgoing.writeContinue()));
    this.#maxConnections = parts.maxConnections ?? defaultMaxConnections;
    this.#limitConnections();
    // The idle time is over, but a request may have arrived that Node.js has not read yet.
    this.#server.on('timeout', (socket: Socket) => {
      const { bytesRead } = socket;
      setImmediate(() => socket.bytesRead === bytesRead && socket.destroy());
    });
    this.#server.on('clientError', (fault: NodeJS.ErrnoException, socket: Socket) => {
      if (this.#answering.has(socket)) socket.resetAndDestroy();
      else answerFaultyClient(fault.code, socket);
    });
  }

  get underWayCount(): number {
    return this.#underWay.size;
  }

  get connectionCount(): number {
    return this.#admitted.size;
  }

  /** Returns the base URL. Port 0 means the preferred port if that is free, and any port otherwise. */
  async listen(port: number, preferredPort = 0): Promise<string> {
    const isBound = port === 0 && preferredPort !== 0 && (await this.#bind(preferredPort).catch(() => false));
    if (!isBound) await this.#bind(port).catch((thrown: unknown) => refuseAddress(this.#parts.host, port, thrown));
    const { address, port: boundPort } = this.#server.address() as AddressInfo;
    const isEverywhere = address === '0.0.0.0' || address === '::';
    return `http://${isEverywhere ? '127.0.0.1' : inUrl(address)}:${boundPort}`;
  }

  async #bind(port: number): Promise<true> {
    this.#server.listen(port, this.#parts.host);
    await once(this.#server, 'listening');
    return true;
  }

  #limitConnections(): void {
    const warnings = new RateLimiter({ perSecond: 1 / 60, burst: 1 }, this.#parts.clock);
    const message = `All ${this.#maxConnections} connections are in use, so other calls are refused as busy. Find out who holds them, or raise --max-connections.`;
    const warn = (): void => {
      if (warnings.take('') === 0) this.#parts.logger.warn(message);
    };
    this.#server.maxConnections = this.#maxConnections + maxRefusedConnections;
    this.#server.on('drop', warn).on('connection', (socket: Socket) => {
      if (!this.#admit(socket)) warn();
      socket.once('close', () => this.#admitted.delete(socket));
    });
  }

  /** Whether the connection is within the limit. A connection beyond the limit may be admitted later. */
  #admit(socket: Socket): boolean {
    if (this.#admitted.size < this.#maxConnections && !socket.destroyed) this.#admitted.add(socket);
    return this.#admitted.has(socket);
  }

  /** Whether the connection ends after this answer. It stays open after a proof, which counts for this connection only. */
  #isLastAnswer(outgoing: ServerResponse, { route }: CallNotes): boolean {
    if (this.#stoppingSince !== undefined) return true;
    const isCrowded = this.#admitted.size > this.#maxConnections * crowdedShare;
    return isCrowded && route !== 'prove' && this.#newest.get(outgoing.req.socket) === outgoing;
  }

  /** Waits until the open requests are answered, or their time is over. Meanwhile the handler refuses new ones. */
  async drain(): Promise<void> {
    this.#stoppingSince = this.#parts.clock.now();
    // Do not wait for later requests: load balancers continue to send some.
    const awaited = new Set(this.#underWay);
    if (awaited.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEnded = request => {
      awaited.delete(request);
      if (awaited.size === 0) resolve();
    };
    const cancelTimer = this.#cutOffLater(resolve);
    await promise;
    cancelTimer();
  }

  /** Refuses new requests. Resolves when the open ones are answered, or their time is over. */
  async close(): Promise<void> {
    this.#stoppingSince ??= this.#parts.clock.now();
    const closed = once(this.#server, 'close');
    this.#server.close();
    const cancelTimer = this.#cutOffLater();
    await closed;
    cancelTimer();
  }

  /** Ends all connections when the time of a stopping service is over. */
  #cutOffLater(onEnd = (): void => {}): () => void {
    const { clock } = this.#parts;
    const { stopping } = this.#timeouts;
    const now = clock.now();
    // The clock may have been set back.
    const spentMs = Math.max(0, now - (this.#stoppingSince ?? now));
    return clock.after(Math.max(0, stopping - spentMs), () => {
      for (const socket of this.#answering) socket.resetAndDestroy();
      this.#server.closeAllConnections();
      onEnd();
    });
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse, body: IncomingBody): Promise<void> {
    const { socket } = incoming;
    const call = this.#parts.observe?.(incoming.headers);
    const notes = call?.notes ?? newCallNotes();
    notes.ends = endsAtService(socket);
    notes.isOverLimit = !this.#admit(socket);
    this.#newest.set(socket, outgoing);
    let sentBytes = 0;
    this.#underWay.add(outgoing);
    const leaving = new AbortController();
    notes.leaving = leaving.signal;
    const clientLeft = new Promise<void>(resolve => {
      outgoing.once('close', () => {
        this.#answering.delete(socket);
        if (!outgoing.writableFinished) leaving.abort();
        else if (!outgoing.shouldKeepAlive) this.#admitted.delete(socket);
        // A stopping service waits for no further requests on open connections.
        if (!this.#server.listening) setImmediate(() => this.#server.closeIdleConnections());
        call?.ends({ bytes: sentBytes, isWhole: outgoing.writableFinished });
        this.#underWay.delete(outgoing);
        this.#onEnded(outgoing);
        resolve();
      });
    });
    const response = await this.#answer(notes, async () => {
      refuseForeignHost(incoming, this.#parts.host);
      return this.#parts.handler(toRequest(incoming, body), notes);
    });
    if (call?.requestId !== undefined) response.headers.set(headerNames.requestId, call.requestId);
    // A closed connection has no further close event, and would stay in the set.
    if (!outgoing.destroyed) {
      this.#answering.add(socket);
      call?.begins(response.status);
    }
    if (this.#isLastAnswer(outgoing, notes) || !body.isDroppable) outgoing.shouldKeepAlive = false;
    const { reading, pausing } = this.#timeouts;
    const timeout = response.headers.has('content-length') ? reading : pausing;
    const startTimer = (): (() => void) => this.#parts.clock.after(timeout, () => socket.resetAndDestroy());
    await sendResponse(response, outgoing, { body, clientLeft, startTimer, onSent: bytes => (sentBytes += bytes) });
  }

  async #answer(notes: CallNotes, handle: () => Promise<Response>): Promise<Response> {
    const { clock, logger } = this.#parts;
    try {
      return await handle();
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) logger.error(logLine(thrown));
      const fault = toServiceError(thrown);
      notes.code = fault.code;
      return errorAnswer(fault, clock);
    }
  }
}

function refuseAddress(host: string, port: number, cause: unknown): never {
  const address = `${inUrl(host)}:${port}`;
  throw new Error(`The service cannot listen on ${address}: ${messageOf(cause)}. Choose another port or host.`, {
    cause,
  });
}

interface Sending {
  /** The body of the request. The handler may have left it unread. */
  readonly body: IncomingBody;
  /** Resolves when the client has left. */
  readonly clientLeft: Promise<void>;
  /** Starts the timer for a client that reads nothing. Returns the function that stops the timer. */
  readonly startTimer: () => () => void;
  /** Called with the bytes of each part of the answer's body. */
  readonly onSent: (bytes: number) => void;
}

/** Writes an answer as fast as the client reads, and cancels its source when the client leaves. */
async function sendResponse(response: Response, outgoing: ServerResponse, sending: Sending): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  const body: ReadableStream<Uint8Array> | null = response.body;
  const reader = body?.getReader();
  if (reader) {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      sending.onSent(chunk.value.length);
      if (!outgoing.write(chunk.value)) await waitForDrain(outgoing, sending);
      if (outgoing.destroyed) return reader.cancel();
    }
  }
  await finish(outgoing, sending);
}

/** Ends the answer after the request has arrived completely: the connection is used for the next request. */
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

async function waitForDrain(outgoing: ServerResponse, { clientLeft, startTimer }: Sending): Promise<void> {
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
