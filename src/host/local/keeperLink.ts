import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Disposable } from '../../base/disposable.ts';
import { ProjectError } from '../../base/errors.ts';
import { LineBuffer } from '../../base/lineBuffer.ts';
import { decodeKeeperAnswer, type KeeperAnswer, type KeeperFile } from '../../wire/keeper.ts';

interface Pending {
  readonly resolve: (answer: KeeperAnswer) => void;
  readonly reject: (reason: ProjectError) => void;
}

/** How long the service may take to start, in milliseconds. */
const patience = 20_000;

/** This window's connection to the keeper, which keeps the local service running while it is open. */
export class KeeperLink implements Disposable {
  readonly #socket: Socket;
  readonly #token: string;
  readonly #pending: Pending[] = [];

  /** Rejects when nobody listens there. */
  static async open({ port, token }: KeeperFile): Promise<KeeperLink> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new KeeperLink(socket, token);
  }

  private constructor(socket: Socket, token: string) {
    this.#socket = socket;
    this.#token = token;
    const lines = new LineBuffer();
    // A connection that breaks is closed next, and that is what counts.
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.on('data', (text: string) => {
      for (const line of lines.add(text)) this.#hear(line);
    });
    socket.on('close', () => {
      for (const { reject } of this.#pending.splice(0)) reject(keeperLost());
    });
  }

  get isOpen(): boolean {
    return this.#socket.writable;
  }

  /** Has the service started unless it runs. Rejects with `keeper_lost` when the connection does not hold. */
  async need(): Promise<KeeperAnswer> {
    if (!this.isOpen) throw keeperLost();
    const { promise, resolve, reject } = Promise.withResolvers<KeeperAnswer>();
    this.#pending.push({ resolve, reject });
    this.#socket.write(`${this.#token}\n`);
    const impatience = setTimeout(() => this.dispose(), patience);
    return promise.finally(() => clearTimeout(impatience));
  }

  dispose(): void {
    this.#socket.destroy();
  }

  /** Answers come in the order of the questions. What is no answer comes from somebody else, who got the keeper's port. */
  #hear(line: string): void {
    const answer = decodeKeeperAnswer(line);
    if (answer) this.#pending.shift()?.resolve(answer);
    else this.dispose();
  }
}

function keeperLost(): ProjectError {
  return new ProjectError('transport', 'keeper_lost', 'The process that keeps the local service running is gone.');
}
