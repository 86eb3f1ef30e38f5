import { numberClass } from '../compare.ts';
import { CellValue, compareValues } from './cellValue.ts';

const initialPlaces = 64;

interface ValueTableLimits {
  readonly maxValues: number;
  /** For all values together. */
  readonly maxBytes: number;
}

/** Numbers the different values of a column in the order in which they come. Equal hashes are not taken for equal values. */
export class ValueTable {
  readonly values: CellValue[] = [];
  readonly #limits: ValueTableLimits;
  readonly #hashes: number[] = [];
  /** The number of a value plus one, at a place that follows from its hash. 0 marks a free place. */
  #places = new Int32Array(initialPlaces);
  #bytes = 0;

  constructor(limits: ValueTableLimits) {
    this.#limits = limits;
  }

  /** The number of the value, which is new if it was not there. -1 if there is no room for a new value. */
  indexOf(value: CellValue): number {
    const places = this.#places;
    const mask = places.length - 1;
    for (let at = value.hash & mask; ; at = (at + 1) & mask) {
      const index = places[at]! - 1;
      if (index === -1) return this.#add(value, at);
      if (this.#hashes[index] === value.hash && isSame(this.values[index]!, value)) return index;
    }
  }

  #add(value: CellValue, place: number): number {
    const { maxValues, maxBytes } = this.#limits;
    const bytes = value.from === -1 ? 0 : value.to - value.from;
    if (this.values.length >= maxValues || this.#bytes + bytes > maxBytes) return -1;
    this.#bytes += bytes;
    this.#places[place] = this.values.push(new CellValue().keep(value));
    this.#hashes.push(value.hash);
    if (this.values.length * 2 > this.#places.length) this.#grow();
    return this.values.length - 1;
  }

  #grow(): void {
    const places = new Int32Array(this.#places.length * 2);
    const mask = places.length - 1;
    for (const [index, hash] of this.#hashes.entries()) {
      let at = hash & mask;
      while (places[at] !== 0) at = (at + 1) & mask;
      places[at] = index + 1;
    }
    this.#places = places;
  }
}

const isSame = (one: CellValue, other: CellValue): boolean =>
  (one.storageClass !== numberClass || one.isWord === other.isWord) && compareValues(one, other) === 0;
