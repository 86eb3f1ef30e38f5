import { classAt, nullClass, numberClass, orderedNumberAt, restAt, textBytesAt, textClass } from './compare.ts';
import type { RowWalker } from './rowWalker.ts';

/** So many bytes of a text are one key, exactly, with a few bits to spare in a double. */
export const chunkBytes = 6;
/** Said of a text that goes on behind the chunk. */
const more = 7;

/** What is kept of the texts of one column at a time, whatever number of rows there is. */
const windowBudget = 64 * 1024 * 1024;
const longestWindow = 170 * chunkBytes;

/** Six bytes of a text from one place on, in an order that SQLite's memcmp has; shorter texts before longer ones. */
export function chunkKey(bytes: Uint8Array, from: number, to: number): number {
  let key = 0;
  for (let at = from; at < from + chunkBytes; at++) key = key * 256 + (at < to ? bytes[at]! : 0);
  return key * 8 + Math.min(Math.max(to - from, 0), more);
}

/** Whether texts of the same chunk key may still differ further on. */
export const goesOn = (key: number): boolean => Math.abs(key) % 8 === more;

/** Bytes of texts behind those that were compared before: a window on each row's text. */
export class TextWindow {
  /** Where in the texts it begins. */
  readonly begin: number;
  readonly length: number;
  readonly #ends: Uint32Array;
  #bytes = new Uint8Array(1 << 16);
  #size = 0;
  #count = 0;

  constructor(begin: number, texts: number, places: number) {
    this.begin = begin;
    const share = Math.floor(windowBudget / Math.max(texts, 1));
    this.length = Math.min(Math.max(share - (share % chunkBytes), chunkBytes), longestWindow);
    this.#ends = new Uint32Array(places + 1);
  }

  /** One more byte than the window has is kept, so that it is known that the text goes on. */
  add(place: number, bytes: Uint8Array, from: number, to: number): void {
    this.#fillTo(place);
    const first = from + this.begin;
    const past = Math.min(to, first + this.length + 1);
    if (past > first) {
      this.#grow(past - first);
      for (let at = first; at < past; at++) this.#bytes[this.#size++] = bytes[at]!;
    }
    this.#ends[++this.#count] = this.#size;
  }

  /** The key of the chunk that begins so far within the window. */
  keyOf(place: number, within: number): number {
    this.#fillTo(place + 1);
    const from = this.#ends[place]! + within;
    return chunkKey(this.#bytes, from, Math.max(from, this.#ends[place + 1]!));
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

/** What of one column puts rows in order, kept by the place that a row has among those that are sorted. */
export class SortColumn {
  readonly #slot: number;
  readonly #places: number;
  readonly #sign: number;
  readonly classes: Uint8Array;
  /** Numbers as doubles, and the first chunk of texts. */
  readonly keys: Float64Array;
  /** What rounding took from integers, if from any. */
  rests: Float64Array | undefined;
  window: TextWindow;

  constructor(slot: number, descending: boolean, places: number) {
    this.#slot = slot;
    this.#places = places;
    this.#sign = descending ? -1 : 1;
    this.classes = new Uint8Array(places);
    this.keys = new Float64Array(places);
    this.window = new TextWindow(chunkBytes, places, places);
  }

  get sign(): number {
    return this.#sign;
  }

  add(place: number, walker: RowWalker): void {
    const slot = this.#slot;
    const from = slot === -1 ? -1 : walker.from[slot]!;
    const bytes = walker.bytes as Buffer;
    const kind = classAt(bytes, from);
    this.classes[place] = kind;
    if (kind === nullClass) return;
    const to = walker.to[slot]!;
    if (kind === numberClass) {
      const number = orderedNumberAt(bytes, from, to);
      this.keys[place] = number;
      const rest = restAt(bytes, from, to, number);
      if (rest !== 0) (this.rests ??= new Float64Array(this.#places))[place] = rest;
    } else {
      const [text, first, past] = textBytesAt(bytes, from, to, walker.flags[slot]!);
      this.keys[place] = chunkKey(text, first, past);
      if (past - first > chunkBytes) this.window.add(place, text, first, past);
    }
  }

  /** Takes the next window on a text. */
  addToWindow(place: number, walker: RowWalker): void {
    const slot = this.#slot;
    const [from, to] = [walker.from[slot]!, walker.to[slot]!];
    const [text, first, past] = textBytesAt(walker.bytes as Buffer, from, to, walker.flags[slot]!);
    this.window.add(place, text, first, past);
  }

  isText(place: number): boolean {
    return this.classes[place] === textClass;
  }
}
