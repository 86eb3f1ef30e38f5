/** A larger buffer is released after use, so that one large row does not stay in memory. */
const maxKeptBytes = 1 << 20;

/** Joins bytes that arrive in pieces. The buffer grows by doubling, so that a large row is not copied for each piece. */
export class ByteCollector {
  #buffer = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#buffer.length) {
      const buffer = new Uint8Array(Math.max(needed, this.#buffer.length * 2, 1024));
      buffer.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = buffer;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = needed;
  }

  /** All bytes with `last` behind them. The collector is empty then. */
  take(last: Uint8Array): Uint8Array {
    const whole = new Uint8Array(this.#length + last.length);
    whole.set(this.#buffer.subarray(0, this.#length));
    whole.set(last, this.#length);
    this.#length = 0;
    if (this.#buffer.length > maxKeptBytes) this.#buffer = new Uint8Array(0);
    return whole;
  }
}
