import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { asRecord } from '../base/decode.ts';
import { ServiceError } from '../wire/serviceError.ts';
import { errorAnswer, logLine, toServiceError } from './answer.ts';
import { answerFaultyClient } from './faultyClient.ts';
import { inUrl, refuseForeign } from './foreignRequests.ts';
import { toRequest } from './nodeRequest.ts';
import { sendResponse } from './nodeResponse.ts';

export type Handler = (request: Request) => Promise<Response>;

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** For the head of a request. */
  readonly head: number;
  /** For a whole request. */
  readonly request: number;
  /** Between two requests on one connection. */
  readonly idle: number;
  /** For taking anything at all of an answer that waits to be sent whole. */
  readonly reading: number;
  /** For the same where the answer is a stream, which only who has a key gets. */
  readonly pausing: number;
  /** For the rest of their answers when the service stops. */
  readonly stopping: number;
}

const minute = 60_000;
const usualPatience: Patience = {
  head: 10_000,
  request: minute,
  idle: minute,
  reading: minute,
  // A reader that pauses for longer than the engine lets its rows wait still hears of that, and holds no more than a connection.
  pausing: 60 * minute,
  stopping: 3_000,
};
const mostConnections = 1024;
const mostHeaderBytes = 16 * 1024;

export interface ListenerParts {
  readonly handler: Handler;
  /** The address or name to listen on. */
  readonly host: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly patience?: Patience | undefined;
}

/** A handler behind HTTP/1.1. */
export class NodeListener {
  readonly #parts: ListenerParts;
  readonly #patience: Patience;
  readonly #server: Server;
  /** Connections with an answer under way. */
  readonly #answering = new Set<Socket>();
  #stopping = false;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
    this.#patience = parts.patience ?? usualPatience;
    const { head, request, idle } = this.#patience;
    const options = {
      headersTimeout: head,
      requestTimeout: request,
      keepAliveTimeout: idle,
      connectionsCheckingInterval: Math.min(1000, head),
      maxHeaderSize: mostHeaderBytes,
      // A request without a Host is refused in the service's own words.
      requireHostHeader: false,
    };
    this.#server = createServer(options, (incoming, outgoing) => {
      this.#serve(incoming, outgoing).catch((thrown: unknown) => {
        parts.logger.warn(logLine(thrown));
        // A clean end would look like the whole of an answer.
        outgoing.socket?.resetAndDestroy();
      });
    });
    this.#server.maxConnections = mostConnections;
    this.#server.on('clientError', (fault: NodeJS.ErrnoException, socket: Socket) => {
      if (this.#answering.has(socket)) socket.resetAndDestroy();
      else answerFaultyClient(fault.code, socket);
    });
  }

  /** Listens, and gives the base URL. Port 0 means any, the preferred one if it is free. */
  async listen(port: number, preferred = 0): Promise<string> {
    const bound = port === 0 && preferred !== 0 && (await this.#bind(preferred).catch(() => false));
    if (!bound) await this.#bind(port).catch((thrown: unknown) => refuseAddress(this.#parts.host, port, thrown));
    const { address, port: taken } = this.#server.address() as AddressInfo;
    const everywhere = address === '0.0.0.0' || address === '::';
    return `http://${everywhere ? '127.0.0.1' : inUrl(address)}:${taken}`;
  }

  async #bind(port: number): Promise<true> {
    this.#server.listen(port, this.#parts.host);
    await once(this.#server, 'listening');
    return true;
  }

  /** Takes no more requests, and ends when those under way are answered, or their time is over. */
  async close(): Promise<void> {
    this.#stopping = true;
    const closed = once(this.#server, 'close');
    this.#server.close();
    const endPatience = this.#parts.clock.after(this.#patience.stopping, () => {
      for (const socket of this.#answering) socket.resetAndDestroy();
      this.#server.closeAllConnections();
    });
    await closed;
    endPatience();
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { socket } = incoming;
    const leaving = new AbortController();
    // A Request passes its signal's abort on for as long as it is held, so the connection holds it.
    const held: { request?: Request } = {};
    const gone = new Promise<void>(resolve => {
      outgoing.once('close', () => {
        this.#answering.delete(socket);
        if (!outgoing.writableFinished) leaving.abort();
        delete held.request;
        // A connection that was kept for the next request has none to wait for.
        if (this.#stopping) setImmediate(() => this.#server.closeIdleConnections());
        resolve();
      });
    });
    const response = await this.#answer(async () => {
      refuseForeign(incoming, this.#parts.host);
      held.request = await toRequest(incoming, leaving.signal);
      return this.#parts.handler(held.request);
    });
    // What is closed by now closes no second time, and would stay.
    if (!outgoing.destroyed) this.#answering.add(socket);
    if (this.#stopping) outgoing.shouldKeepAlive = false;
    const { reading, pausing } = this.#patience;
    const patience = response.headers.has('content-length') ? reading : pausing;
    const watch = (): (() => void) => this.#parts.clock.after(patience, () => socket.resetAndDestroy());
    await sendResponse(response, outgoing, { gone, watch });
  }

  async #answer(handle: () => Promise<Response>): Promise<Response> {
    const { clock, logger } = this.#parts;
    try {
      return await handle();
    } catch (thrown) {
      const brokenOff = asRecord(thrown)?.['code'] === 'ECONNRESET';
      if (!(thrown instanceof ServiceError) && !brokenOff) logger.error(logLine(thrown));
      return errorAnswer(toServiceError(thrown), clock);
    }
  }
}

function refuseAddress(host: string, port: number, cause: unknown): never {
  const address = `${inUrl(host)}:${port}`;
  throw new Error(`The service cannot listen on ${address}: ${messageOf(cause)}. Choose another port or host.`, {
    cause,
  });
}
