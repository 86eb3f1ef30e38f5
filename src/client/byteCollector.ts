/** Bytes that arrive in pieces and leave as one. Room is doubled, so that a large row is not copied once for each piece. */
export class ByteCollector {
  #room = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#room.length) {
      const room = new Uint8Array(Math.max(needed, this.#room.length * 2, 1024));
      room.set(this.#room.subarray(0, this.#length));
      this.#room = room;
    }
    this.#room.set(piece, this.#length);
    this.#length = needed;
  }

  /** What was collected, with `last` behind it. The collector is empty afterwards. */
  take(last: Uint8Array): Uint8Array {
    const whole = new Uint8Array(this.#length + last.length);
    whole.set(this.#room.subarray(0, this.#length));
    whole.set(last, this.#length);
    this.#length = 0;
    if (this.#room.length > keptRoom) this.#room = new Uint8Array(0);
    return whole;
  }
}

/** Room beyond this is given back after use, so that one large row does not stay in memory. */
const keptRoom = 1 << 20;
