/** A larger buffer is not used again, so that one large row does not stay in memory. */
const maxReusedBytes = 1 << 20;

/** Joins bytes that arrive in pieces. The buffer grows by doubling, so that a large row is not copied for each piece. */
export class ByteCollector {
  #buffer = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#buffer.length) this.#grow(Math.max(needed, this.#buffer.length * 2, 1024));
    this.#buffer.set(piece, this.#length);
    this.#length = needed;
  }

  /** All bytes, followed by `last`. The collector is empty then. */
  take(last: Uint8Array): Uint8Array {
    if (this.#length > maxReusedBytes) return this.#takeBuffer(last);
    const whole = new Uint8Array(this.#length + last.length);
    whole.set(this.#buffer.subarray(0, this.#length));
    whole.set(last, this.#length);
    this.#length = 0;
    return whole;
  }

  /** A large row is given away with its buffer: a copy would hold it twice. */
  #takeBuffer(last: Uint8Array): Uint8Array {
    this.append(last);
    const whole = this.#buffer.subarray(0, this.#length);
    this.#buffer = new Uint8Array(0);
    this.#length = 0;
    return whole;
  }

  #grow(size: number): void {
    const larger = new Uint8Array(size);
    larger.set(this.#buffer.subarray(0, this.#length));
    // Free the old bytes at once: garbage of this size piles up faster than it is collected.
    this.#buffer.buffer.transfer(0);
    this.#buffer = larger;
  }
}
