const defaultBytes = 64 * 1024;
/** A larger buffer is released by `take`. */
const maxKeptBytes = 4 * 1024 * 1024;

export class ByteWriter {
  readonly #initialBytes: number;
  #buffer: Buffer;
  #length = 0;

  constructor(initialBytes = defaultBytes) {
    this.#initialBytes = initialBytes;
    this.#buffer = Buffer.allocUnsafe(initialBytes);
  }

  get length(): number {
    return this.#length;
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = byte;
  }

  text(text: string): void {
    // A UTF-16 unit takes three bytes at most. For a long text it is worth counting them.
    this.#reserve(text.length > 1000 ? Buffer.byteLength(text) : text.length * 3);
    this.#length += this.#buffer.write(text, this.#length);
  }

  bytes(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.#reserve(to - from);
    const buffer = this.#buffer;
    let length = this.#length;
    if (to - from > 100) buffer.set(bytes.subarray(from, to), length);
    else for (let at = from; at < to; at++) buffer[length + at - from] = bytes[at]!;
    length += to - from;
    this.#length = length;
  }

  /** Copies bytes, and writes each `doubled` twice. */
  doubling(doubled: number, bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(2 * (to - from));
    const buffer = this.#buffer;
    let length = this.#length;
    for (let at = from; at < to; at++) {
      const byte = bytes[at]!;
      buffer[length++] = byte;
      if (byte === doubled) buffer[length++] = byte;
    }
    this.#length = length;
  }

  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
    if (this.#buffer.length > maxKeptBytes) this.#buffer = Buffer.allocUnsafe(this.#initialBytes);
    return taken;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const buffer = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(buffer, 0, 0, this.#length);
    this.#buffer = buffer;
  }
}
