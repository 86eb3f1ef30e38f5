const firstRoom = 64 * 1024;

/** Bytes that are put together piece by piece. */
export class ByteWriter {
  #room = Buffer.allocUnsafe(firstRoom);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#room[this.#length++] = byte;
  }

  text(text: string): void {
    // No character takes more than three bytes. Of a long text it is worth knowing exactly.
    this.#reserve(text.length > 1000 ? Buffer.byteLength(text) : text.length * 3);
    this.#length += this.#room.write(text, this.#length);
  }

  bytes(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.#reserve(to - from);
    const room = this.#room;
    let length = this.#length;
    if (to - from > 100) room.set(bytes.subarray(from, to), length);
    else for (let at = from; at < to; at++) room[length + at - from] = bytes[at]!;
    length += to - from;
    this.#length = length;
  }

  /** Copies bytes, with one of them written twice wherever it stands. */
  doubling(doubled: number, bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(2 * (to - from));
    const room = this.#room;
    let length = this.#length;
    for (let at = from; at < to; at++) {
      const byte = bytes[at]!;
      room[length++] = byte;
      if (byte === doubled) room[length++] = byte;
    }
    this.#length = length;
  }

  /** What was put together so far. The writer is empty afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.#room.subarray(0, this.#length));
    this.#length = 0;
    if (this.#room.length > keptRoom) this.#room = Buffer.allocUnsafe(firstRoom);
    return taken;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#room.length) return;
    const room = Buffer.allocUnsafe(Math.max(needed, this.#room.length * 2));
    this.#room.copy(room, 0, 0, this.#length);
    this.#room = room;
  }
}

/** Room beyond this is given back after use. */
const keptRoom = 4 * 1024 * 1024;
