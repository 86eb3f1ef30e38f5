/** A chunk key holds this many bytes of a text exactly, and a double has three bits left. */
export const chunkBytes = 6;
/** The lowest three bits of a key hold the length of the text from the chunk on. A 7 stands for every longer text. */
const longerThanChunk = 7;

/** Six bytes of a text as a number. Numbers compare as SQLite's memcmp does, with shorter texts before longer ones. */
export function chunkKey(bytes: Uint8Array, from: number, to: number): number {
  let key = 0;
  for (let at = from; at < from + chunkBytes; at++) key = key * 256 + (at < to ? bytes[at]! : 0);
  return key * 8 + Math.min(Math.max(to - from, 0), longerThanChunk);
}

/** Whether texts of the same key may differ after the chunk. */
export const isCutKey = (key: number): boolean => Math.abs(key) % 8 === longerThanChunk;

/** Memory for the texts of one column at a time, however many rows there are. */
const budgetBytes = 64 * 1024 * 1024;

/**
 * The same stretch of every text of a column, from `begin` on. Texts that are equal up to its end are compared by the next
 * window. The texts are numbered by the places of their rows.
 */
export class TextWindow {
  readonly begin: number;
  readonly length: number;
  readonly #places: number;
  /** Where each text ends in `#bytes`. Empty while there are no texts. */
  #ends = new Uint32Array(0);
  #bytes = Buffer.alloc(1 << 16);
  #size = 0;
  #count = 0;

  constructor(begin: number, texts: number, places: number) {
    this.begin = begin;
    this.length = Math.max(Math.floor(budgetBytes / Math.max(texts, 1)), chunkBytes);
    this.#places = places;
  }

  add(place: number, bytes: Uint8Array, from: number, to: number): void {
    if (this.#ends.length === 0) this.#ends = new Uint32Array(this.#places + 1);
    this.#fillTo(place);
    const first = from + this.begin;
    // Keep a chunk more than the window has, so that the key of its last byte shows whether the text continues.
    const past = Math.min(to, first + this.length + chunkBytes);
    if (past > first) {
      this.#grow(past - first);
      if (past - first > 100) this.#bytes.set(bytes.subarray(first, past), this.#size);
      else for (let at = first; at < past; at++) this.#bytes[this.#size + at - first] = bytes[at]!;
      this.#size += past - first;
    }
    this.#ends[++this.#count] = this.#size;
  }

  close(): void {
    if (this.#ends.length > 0) this.#fillTo(this.#places);
  }

  keyOf(place: number, offset: number): number {
    const from = this.#ends[place]! + offset;
    return chunkKey(this.#bytes, from, Math.max(from, this.#ends[place + 1]!));
  }

  /** The offset up to which two texts are the same. They are the same up to `from`; `max` is the highest answer. */
  sameUpTo(one: number, other: number, from: number, max: number): number {
    const first = this.#ends[one]!;
    const second = this.#ends[other]!;
    const end = Math.min(max, this.#ends[one + 1]! - first, this.#ends[other + 1]! - second);
    let at = from;
    while (at < end && this.#bytes[first + at] === this.#bytes[second + at]) at++;
    return at;
  }

  /** Compares two texts as memcmp does, from an offset up to which they are the same. */
  compare(one: number, other: number, offset: number): number {
    const ends = this.#ends;
    const bytes = this.#bytes;
    return bytes.compare(bytes, ends[other]! + offset, ends[other + 1], ends[one]! + offset, ends[one + 1]);
  }

  /** Whether the text may have more bytes after the window. */
  hasMore(place: number): boolean {
    return this.#ends[place + 1]! - this.#ends[place]! >= this.length + chunkBytes;
  }

  #fillTo(place: number): void {
    while (this.#count < place) this.#ends[++this.#count] = this.#size;
  }

  #grow(by: number): void {
    if (this.#size + by <= this.#bytes.length) return;
    const bytes = Buffer.allocUnsafeSlow(this.#bytes.length * 2 + by);
    this.#bytes.copy(bytes, 0, 0, this.#size);
    this.#bytes = bytes;
  }
}
