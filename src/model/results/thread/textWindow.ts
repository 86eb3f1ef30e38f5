/** So many bytes of a text are one key, exactly, with a few bits to spare in a double. */
export const chunkBytes = 6;
/** Said of a text that goes on behind the chunk. */
const more = 7;

/** Six bytes of a text from one place on, in an order that SQLite's memcmp has; shorter texts before longer ones. */
export function chunkKey(bytes: Uint8Array, from: number, to: number): number {
  let key = 0;
  for (let at = from; at < from + chunkBytes; at++) key = key * 256 + (at < to ? bytes[at]! : 0);
  return key * 8 + Math.min(Math.max(to - from, 0), more);
}

/** Whether texts of the same chunk key may still differ further on. */
export const goesOn = (key: number): boolean => Math.abs(key) % 8 === more;

/** What is kept of the texts of one column at a time, however many rows there are. */
const budget = 64 * 1024 * 1024;

/** Bytes of texts behind those that were compared before: a window on each row's text. */
export class TextWindow {
  /** Where in the texts it begins. */
  readonly begin: number;
  readonly length: number;
  readonly #places: number;
  /** There is none while there are no texts. */
  #ends = new Uint32Array(0);
  #bytes = new Uint8Array(1 << 16);
  #size = 0;
  #count = 0;

  constructor(begin: number, texts: number, places: number) {
    this.begin = begin;
    this.length = Math.max(Math.floor(budget / Math.max(texts, 1)), chunkBytes);
    this.#places = places;
  }

  /** One more chunk than the window has is kept, so that the key of its last byte is whole and says whether it goes on. */
  add(place: number, bytes: Uint8Array, from: number, to: number): void {
    if (this.#ends.length === 0) this.#ends = new Uint32Array(this.#places + 1);
    this.#fillTo(place);
    const first = from + this.begin;
    const past = Math.min(to, first + this.length + chunkBytes);
    if (past > first) {
      this.#grow(past - first);
      if (past - first > 100) this.#bytes.set(bytes.subarray(first, past), this.#size);
      else for (let at = first; at < past; at++) this.#bytes[this.#size + at - first] = bytes[at]!;
      this.#size += past - first;
    }
    this.#ends[++this.#count] = this.#size;
  }

  /** To be called when all texts were added. */
  close(): void {
    if (this.#ends.length > 0) this.#fillTo(this.#places);
  }

  /** The key of the chunk that begins so far within the window. */
  keyOf(place: number, within: number): number {
    const from = this.#ends[place]! + within;
    return chunkKey(this.#bytes, from, Math.max(from, this.#ends[place + 1]!));
  }

  /** Up to where two texts are the same, if they are up to `from`; no further than `most`. */
  sameUpTo(one: number, other: number, from: number, most: number): number {
    const [first, second] = [this.#ends[one]!, this.#ends[other]!];
    const end = Math.min(most, this.#ends[one + 1]! - first, this.#ends[other + 1]! - second);
    let at = from;
    while (at < end && this.#bytes[first + at] === this.#bytes[second + at]) at++;
    return at;
  }

  #fillTo(place: number): void {
    while (this.#count < place) this.#ends[++this.#count] = this.#size;
  }

  #grow(by: number): void {
    if (this.#size + by <= this.#bytes.length) return;
    const bytes = new Uint8Array(this.#bytes.length * 2 + by);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }
}
