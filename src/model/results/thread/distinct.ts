export const maxDistinct = 1 << 22;

const initialSize = 1 << 10;

/** Counts by 53 bits of a hash. Two of four million values share a hash with a chance of one in a thousand. */
export class Distinct {
  readonly #max: number;
  #table = new Float64Array(initialSize);
  #count = 0;

  constructor(max = maxDistinct) {
    this.#max = max;
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= this.#max;
  }

  *hashes(): Generator<number> {
    for (const entry of this.#table) if (entry !== 0) yield entry - 1;
  }

  /** Whether the value is new. Once the set is full, every value that is not in it is new. */
  add(hash: number): boolean {
    const table = this.#table;
    const mask = table.length - 1;
    // 0 marks a free place.
    const entry = hash + 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const found = table[at]!;
      if (found === entry) return false;
      if (found !== 0) continue;
      if (this.isFull) return true;
      table[at] = entry;
      this.#count++;
      if (this.#count * 2 > table.length) this.#grow();
      return true;
    }
  }

  #grow(): void {
    const table = new Float64Array(this.#table.length * 2);
    const mask = table.length - 1;
    for (const entry of this.#table) {
      if (entry === 0) continue;
      let at = (entry - 1) & mask;
      while (table[at] !== 0) at = (at + 1) & mask;
      table[at] = entry;
    }
    this.#table = table;
  }
}

const registerBits = 14;
const registerCount = 1 << registerBits;
const highBits = 21;

/** Estimates how many different values there are, within about one percent (HyperLogLog). It takes little memory. */
export class DistinctEstimate {
  /** For each register, the longest run of zeros that its hashes begin with, plus one. */
  readonly #ranks = new Uint8Array(registerCount);

  add(hash: number): void {
    const high = (hash / 0x100000000) | 0;
    const low = hash >>> 0;
    const register = low & (registerCount - 1);
    const rest = low >>> registerBits;
    const zeros = high === 0 ? highBits + Math.clz32(rest) - registerBits : Math.clz32(high) - (32 - highBits);
    if (zeros >= this.#ranks[register]!) this.#ranks[register] = zeros + 1;
  }

  get count(): number {
    let sum = 0;
    for (const rank of this.#ranks) sum += 2 ** -rank;
    const bias = 0.7213 / (1 + 1.079 / registerCount);
    return Math.round((bias * registerCount ** 2) / sum);
  }
}

export function hashOfBytes(bytes: Uint8Array, from: number, to: number, seed: number): number {
  let one = seed;
  let other = seed ^ 0x5bd1e995;
  for (let at = from; at < to; at++) {
    one = Math.imul(one ^ bytes[at]!, 0x01000193);
    other = Math.imul(other ^ bytes[at]!, 0x85ebca6b);
    other = (other << 13) | (other >>> 19);
  }
  return joinedHash(one, other);
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

export function hashOfNumber(value: number, roundingError: number): number {
  // Adding 0 makes 0 of -0.
  double[0] = value + 0;
  const one = Math.imul(words[0]! ^ Math.imul(words[1]!, 0x9e3779b1), 0x85ebca6b) ^ roundingError;
  return joinedHash(one, Math.imul(words[1]! ^ Math.imul(words[0]!, 0xc2b2ae35) ^ roundingError, 0x27d4eb2f));
}

/** Mixes both halves well, because the lowest bits choose the place in the table. */
export function joinedHash(one: number, other: number): number {
  let high = Math.imul(one ^ (one >>> 16), 0x85ebca6b);
  high ^= high >>> 13;
  let low = Math.imul(other ^ (other >>> 15) ^ high, 0xc2b2ae35);
  low ^= low >>> 16;
  return (high & 0x1fffff) * 0x100000000 + (low >>> 0);
}
