import { storageClassAt, nullClass, numberClass, orderedNumberAt, roundingErrorAt, textBytesAt } from './compare.ts';
import type { RowWalker } from './rowWalker.ts';
import { chunkBytes, chunkKey, TextWindow } from './textWindow.ts';

/** The sort keys of one column, numbered by the places of the rows among those that are sorted. */
export class SortColumn {
  readonly #slot: number;
  readonly #places: number;
  readonly #sign: number;
  readonly classes: Uint8Array;
  /** A number as a double, or the first chunk of a text. */
  readonly keys: Float64Array;
  /** The differences between integers and their doubles. Undefined while none differs. */
  roundingErrors: Float64Array | undefined;
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
    const kind = storageClassAt(bytes, from);
    this.classes[place] = kind;
    if (kind === nullClass) return;
    const to = walker.to[slot]!;
    if (kind === numberClass) {
      const number = orderedNumberAt(bytes, from, to);
      this.keys[place] = number;
      const roundingError = roundingErrorAt(bytes, from, to, number);
      if (roundingError !== 0) (this.roundingErrors ??= new Float64Array(this.#places))[place] = roundingError;
    } else {
      const [text, first, past] = textBytesAt(bytes, from, to, walker.flags[slot]!);
      this.keys[place] = chunkKey(text, first, past);
      if (past - first > chunkBytes) this.window.add(place, text, first, past);
    }
  }

  /** Adds a text to the next window. */
  addToWindow(place: number, walker: RowWalker): void {
    const slot = this.#slot;
    const from = walker.from[slot]!;
    const to = walker.to[slot]!;
    const [text, first, past] = textBytesAt(walker.bytes as Buffer, from, to, walker.flags[slot]!);
    this.window.add(place, text, first, past);
  }
}
