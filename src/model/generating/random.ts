/** Random choices of one row. The same seed, row and attempt give the same choices. */
export class RowRandom {
  #state: number;

  constructor(seed: number, row: number, attempt: number) {
    this.#state = mixed(mixed(mixed(seed | 0) + row) + attempt);
  }

  /** From 0 to before 1 (Mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    return mixed(this.#state) / 2 ** 32;
  }

  /** A whole number from 0 to before `count`. */
  upTo(count: number): number {
    return Math.floor(this.next() * count);
  }

  oneOf<T>(values: readonly T[]): T {
    return values[this.upTo(values.length)]!;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }
}

function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 15), 1 | value);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return (bits ^ (bits >>> 14)) >>> 0;
}
