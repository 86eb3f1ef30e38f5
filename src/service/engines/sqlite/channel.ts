import type { Duplex } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

/**
 * What stands at the head of a frame. From the service: a call, leave to send more of its rows, the end of a call that nobody
 * waits for, the end of the process. From the process: rows, the note that they are told again, the end of an answer, its own
 * end, the note that the write is done whose rows come, how long rows have had the thread.
 */
export const frameKinds = {
  call: 0,
  credit: 1,
  cancel: 2,
  end: 3,
  rows: 4,
  replayed: 5,
  reply: 6,
  ended: 7,
  written: 8,
  ran: 9,
} as const;

/** Length of what follows, kind, and the call that it is about. */
const headLength = 9;
/** What is copied behind its head, because one write costs more than the copy. */
const smallLength = 4096;
const nothing = new Uint8Array();

export interface Frame {
  readonly kind: number;
  readonly call: number;
  readonly body: Uint8Array;
}

/** Frames over a pipe between the service and a project's process. Both ends come from the same build, so bodies are trusted. */
export class Channel {
  readonly #pipe: Duplex;
  readonly #receive: (frame: Frame) => void;
  #gathers = false;
  #parts: Uint8Array[] = [];
  #length = 0;
  /** How much must be there before there is a frame. */
  #needed = headLength;

  constructor(pipe: Duplex, receive: (frame: Frame) => void) {
    this.#pipe = pipe;
    this.#receive = receive;
    // A pipe whose other end was killed breaks; its owner hears of it by the pipe's close.
    pipe.on('error', () => pipe.destroy());
    pipe.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  /** How many bytes were sent and have not left this process. */
  get unsent(): number {
    return this.#pipe.writableLength;
  }

  /** Resolves when all that was sent has left. */
  async flush(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pipe.write(nothing, () => resolve());
    await promise;
  }

  /** Sends what is sent meanwhile as one. */
  together(run: () => void): void {
    this.#pipe.cork();
    try {
      run();
    } finally {
      this.#pipe.uncork();
    }
  }

  /** Sends what is sent from now on as one, when all that has arrived here has been seen to. */
  gather(): void {
    if (this.#gathers) return;
    this.#gathers = true;
    this.#pipe.cork();
    setImmediate(() => {
      this.#gathers = false;
      this.#pipe.uncork();
    });
  }

  send(kind: number, call: number, body: Uint8Array = nothing): void {
    if (!this.#pipe.writable) return;
    const small = body.length <= smallLength;
    const head = Buffer.allocUnsafe(headLength + (small ? body.length : 0));
    head.writeUInt32LE(body.length, 0);
    head.writeUInt8(kind, 4);
    head.writeUInt32LE(call, 5);
    if (small) {
      head.set(body, headLength);
      this.#pipe.write(head);
      return;
    }
    this.#pipe.cork();
    this.#pipe.write(head);
    this.#pipe.write(body);
    this.#pipe.uncork();
  }

  sendValue(kind: number, call: number, value: unknown): void {
    this.send(kind, call, serialize(value));
  }

  #read(chunk: Uint8Array): void {
    this.#parts.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#needed) return;
    let whole = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts, this.#length);
    for (;;) {
      const view = Buffer.from(whole.buffer, whole.byteOffset, whole.length);
      this.#needed = headLength + (view.length < headLength ? 0 : view.readUInt32LE(0));
      if (view.length < headLength || view.length < this.#needed) break;
      const body = whole.subarray(headLength, this.#needed);
      whole = whole.subarray(this.#needed);
      this.#receive({ kind: view.readUInt8(4), call: view.readUInt32LE(5), body });
    }
    this.#parts = whole.length === 0 ? [] : [whole];
    this.#length = whole.length;
  }
}

export const valueOf = (body: Uint8Array): unknown => deserialize(body);
