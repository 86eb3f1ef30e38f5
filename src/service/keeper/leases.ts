import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { LineBuffer } from '../../base/lineBuffer.ts';

export interface LeaseOptions {
  readonly token: string;
  /** Called for each line that needs the service; what it gives is the answering line. */
  readonly answer: () => Promise<string>;
  /** Called when the last connection that said the token is gone. */
  readonly onLastGone: () => void;
}

/** Longer lines than this are nobody's token. */
const longestLine = 1024;

/** The windows that hold on to the service, each by a connection. Closing it lets go, and so does the end of the window. */
export class Leases {
  readonly #options: LeaseOptions;
  readonly #held = new Set<Socket>();
  readonly #server: Server;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#server = createServer(socket => this.#welcome(socket));
  }

  /** Listens on this machine's own address and gives the port. */
  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  get count(): number {
    return this.#held.size;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#held) socket.destroy();
  }

  #welcome(socket: Socket): void {
    const lines = new LineBuffer();
    // A connection that breaks is closed next, and that is what counts.
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.on('data', (text: string) => {
      for (const line of lines.add(text)) this.#hear(socket, line);
      if (lines.held > longestLine) socket.destroy();
    });
    socket.on('close', () => {
      if (this.#held.delete(socket) && this.#held.size === 0) this.#options.onLastGone();
    });
  }

  #hear(socket: Socket, line: string): void {
    if (socket.destroyed) return;
    if (!isSame(line, this.#options.token)) {
      socket.destroy();
      return;
    }
    this.#held.add(socket);
    void this.#options.answer().then(answer => socket.write(`${answer}\n`));
  }
}

function isSame(said: string, token: string): boolean {
  const [one, other] = [Buffer.from(said), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}
