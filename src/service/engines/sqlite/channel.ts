import type { Duplex } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

/** Encodes the body of a message. Both ends come from the same build, so bodies are trusted. */
export interface Encoding<T> {
  readonly encode: (body: T) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => T;
}

const noBytes = new Uint8Array();

export const emptyBody: Encoding<undefined> = {
  encode: () => noBytes,
  decode: () => undefined,
};

export const bytesBody: Encoding<Uint8Array> = {
  encode: body => body,
  decode: body => body,
};

export const uint32: Encoding<number> = {
  encode(body) {
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32LE(body, 0);
    return buffer;
  },
  decode: body => Buffer.from(body.buffer, body.byteOffset, body.length).readUInt32LE(0),
};

export const structuredBody = <T>(): Encoding<T> => ({
  encode: body => serialize(body),
  decode: body => deserialize(body) as T,
});

/** The messages of one direction. Their order gives their numbers. */
type MessageTable = Readonly<
  Record<string, { readonly encode: (body: never) => Uint8Array; readonly decode: (bytes: Uint8Array) => unknown }>
>;

type BodyOf<E> = E extends Encoding<infer T> ? T : never;
type BodyArguments<T> = [T] extends [undefined] ? [] : [body: T];

/** One function for each message that may arrive. `call` is the number of the call that the message is about. */
export type MessageHandlers<T extends MessageTable> = {
  readonly [K in keyof T]: (call: number, body: BodyOf<T[K]>) => void;
};

interface PipeMessage {
  readonly kind: number;
  readonly call: number;
  readonly body: Uint8Array;
}

/** The length of the body, the kind of the message, and the number of its call. */
const headLength = 9;
/** A body up to this length is copied after its head: a second write costs more than the copy. */
const copiedLength = 4096;

/** One end of a pipe that carries messages between the service and a process that serves projects. */
export class Channel<Incoming extends MessageTable, Outgoing extends MessageTable> {
  readonly #pipe: Duplex;
  readonly #receivers: readonly ((call: number, body: Uint8Array) => void)[];
  readonly #kinds: ReadonlyMap<keyof Outgoing, number>;
  readonly #outgoing: Outgoing;
  #sentCount = 0;
  #receivedCount = 0;
  #waitingForReceived: (() => void)[] = [];
  #isBatching = false;
  /** Messages that arrived during a flush. Undefined without a flush. */
  #heldMessages: PipeMessage[] | undefined;
  #parts: Uint8Array[] = [];
  #length = 0;
  /** How many bytes must have arrived before the next message is complete. */
  #neededLength = headLength;

  constructor(pipe: Duplex, incoming: Incoming, outgoing: Outgoing, handlers: MessageHandlers<Incoming>) {
    this.#pipe = pipe;
    this.#outgoing = outgoing;
    this.#kinds = new Map(Object.keys(outgoing).map((kind, number) => [kind, number]));
    this.#receivers = Object.entries(incoming).map(([kind, { decode }]) => {
      const handle = handlers[kind] as (call: number, body: unknown) => void;
      return (call, body) => handle(call, decode(body));
    });
    // The pipe breaks when the other end is killed. Its owner learns of that from the close event.
    pipe.on('error', () => pipe.destroy());
    pipe.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  get unsentBytes(): number {
    return this.#pipe.writableLength;
  }

  get sentCount(): number {
    return this.#sentCount;
  }

  /** Resolves when the first `count` messages are delivered. */
  async received(count: number): Promise<void> {
    while (this.#receivedCount < count) await new Promise<void>(resolve => this.#waitingForReceived.push(resolve));
  }

  /** Resolves when all sent messages have left. Messages that arrive meanwhile are delivered afterwards. */
  async flush(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const held: PipeMessage[] = [];
    this.#heldMessages = held;
    this.#pipe.write(noBytes, () => resolve());
    await promise;
    this.#heldMessages = undefined;
    for (const message of held) this.#deliver(message);
  }

  /** Sends the messages of `run` in one write. */
  batch(run: () => void): void {
    this.#pipe.cork();
    try {
      run();
    } finally {
      this.#pipe.uncork();
    }
  }

  /** Sends the messages of this turn of the event loop in one write. */
  batchTurn(): void {
    if (this.#isBatching) return;
    this.#isBatching = true;
    this.#pipe.cork();
    setImmediate(() => {
      this.#isBatching = false;
      this.#pipe.uncork();
    });
  }

  send<K extends keyof Outgoing>(kind: K, call: number, ...[body]: BodyArguments<BodyOf<Outgoing[K]>>): void {
    if (!this.#pipe.writable) return;
    const encoded = this.#outgoing[kind]!.encode(body as never);
    this.#sentCount++;
    const isCopied = encoded.length <= copiedLength;
    const head = Buffer.allocUnsafe(headLength + (isCopied ? encoded.length : 0));
    head.writeUInt32LE(encoded.length, 0);
    head.writeUInt8(this.#kinds.get(kind)!, 4);
    head.writeUInt32LE(call, 5);
    if (isCopied) {
      head.set(encoded, headLength);
      this.#pipe.write(head);
      return;
    }
    this.#pipe.cork();
    this.#pipe.write(head);
    this.#pipe.write(encoded);
    this.#pipe.uncork();
  }

  #read(chunk: Uint8Array): void {
    this.#parts.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#neededLength) return;
    let rest = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts, this.#length);
    for (;;) {
      const view = Buffer.from(rest.buffer, rest.byteOffset, rest.length);
      this.#neededLength = headLength + (view.length < headLength ? 0 : view.readUInt32LE(0));
      if (view.length < headLength || view.length < this.#neededLength) break;
      const body = rest.subarray(headLength, this.#neededLength);
      rest = rest.subarray(this.#neededLength);
      const message = { kind: view.readUInt8(4), call: view.readUInt32LE(5), body };
      if (this.#heldMessages) this.#heldMessages.push(message);
      else this.#deliver(message);
    }
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
  }

  #deliver({ kind, call, body }: PipeMessage): void {
    this.#receivers[kind]?.(call, body);
    this.#receivedCount++;
    for (const resolve of this.#waitingForReceived.splice(0)) resolve();
  }
}

/** The largest number of a call: `RunningCall` has 32 bits with a sign, and uses negative numbers for its states. */
const maxNumber = 2 ** 31 - 1;

/** The number of the next call. Numbers wrap to 1 and skip those in use. */
export function nextNumber(last: number, isTaken: (number: number) => boolean): number {
  let next = last;
  do next = (next % maxNumber) + 1;
  while (isTaken(next));
  return next;
}
