import { textOf } from '../../../../protocol/shownValues.ts';
import { beyondAscii, blobColumn, brokenRow, shownText } from '../cell.ts';
import {
  isBlobAt,
  nullClass,
  numberClass,
  orderedNumberAt,
  roundingErrorAt,
  storageClassAt,
  textBytesAt,
  textClass,
} from '../compare.ts';
import { blobFilterText } from '../formats/literals.ts';
import { isInteger } from '../jsonNumbers.ts';
import type { RowWalker } from '../rowWalker.ts';
import { shownPart } from '../shownPart.ts';
import { hashOfBytes, hashOfNumber } from '../distinct.ts';

export const blobClass = textClass + 1;

const hashSeeds = [0, 0x2c1b3c6d, 0x297a2d39, 0x1f83d9ab];
const nothing = Buffer.alloc(0);

/** A value for comparing: a number with its rounding error, or the bytes of a text or BLOB. */
export interface Comparable {
  readonly storageClass: number;
  readonly number: number;
  readonly roundingError: number;
  /** Whether it is true or false, which are sorted as 1 and 0, but are no numbers. */
  readonly isWord: boolean;
  readonly bytes: Uint8Array;
  readonly first: number;
  readonly past: number;
}

/** The value of a cell, read once for all figures that need it. The next read replaces it. */
export class CellValue implements Comparable {
  storageClass = nullClass;
  number = 0;
  roundingError = 0;
  isWord = false;
  bytes: Uint8Array = nothing;
  first = 0;
  past = 0;
  hash = 0;
  // The cell as the service wrote it.
  cell: Buffer = nothing;
  from = -1;
  to = 0;
  flags = 0;

  read(walker: RowWalker, slot: number): void {
    const from = slot === -1 ? -1 : walker.from[slot]!;
    const cell = walker.bytes as Buffer;
    this.cell = cell;
    this.from = from;
    this.isWord = false;
    this.storageClass = storageClassAt(cell, from);
    if (this.storageClass === nullClass) {
      this.hash = 0;
      return;
    }
    this.to = walker.to[slot]!;
    this.flags = walker.flags[slot]!;
    if (this.storageClass === numberClass) this.#readNumber();
    else this.#readText();
  }

  /** Only if it is a number. */
  get isInteger(): boolean {
    return isInteger(this.cell, this.from, this.to);
  }

  /** The characters of a text, as SQLite counts them. */
  get length(): number {
    const { bytes, first, past } = this;
    if (!(this.flags & beyondAscii)) return past - first;
    let count = 0;
    for (let at = first; at < past; at++) if ((bytes[at]! & 0xc0) !== 0x80) count++;
    return count;
  }

  #readNumber(): void {
    const { cell, from, to } = this;
    this.number = orderedNumberAt(cell, from, to);
    this.roundingError = roundingErrorAt(cell, from, to, this.number);
    this.isWord = cell[from] === 0x74 || cell[from] === 0x66;
    this.hash = this.isWord
      ? hashOfBytes(cell, from, to, hashSeeds[numberClass]!)
      : hashOfNumber(this.number, this.roundingError);
  }

  #readText(): void {
    const { cell, from, to, flags } = this;
    if (flags & blobColumn && isBlobAt(cell, from, to, flags)) this.storageClass = blobClass;
    [this.bytes, this.first, this.past] = textBytesAt(cell, from, to, flags);
    this.hash = hashOfBytes(this.bytes, this.first, this.past, hashSeeds[this.storageClass]!);
  }

  /** Replaces the value by a text of ASCII letters and digits, or NULL. */
  replace(text: string | undefined): void {
    this.storageClass = text === undefined ? nullClass : textClass;
    this.from = text === undefined ? -1 : 0;
    this.cell = Buffer.from(`"${text}"`);
    this.to = this.cell.length;
    this.flags = 0;
    if (text === undefined) this.hash = 0;
    else this.#readText();
  }
}

/** A copy of a value, which stays when the next rows are read. */
export class KeptValue implements Comparable {
  readonly storageClass: number;
  readonly number: number;
  readonly roundingError: number;
  readonly isWord: boolean;
  readonly bytes: Uint8Array;
  readonly first: number;
  readonly past: number;
  /** The JSON of the value, as the service wrote it. */
  readonly #written: Buffer;
  readonly #flags: number;

  constructor(value: CellValue) {
    this.storageClass = value.storageClass;
    this.number = value.number;
    this.roundingError = value.roundingError;
    this.isWord = value.isWord;
    this.#flags = value.flags;
    this.#written =
      value.storageClass === nullClass ? Buffer.from('null') : Buffer.from(value.cell.subarray(value.from, value.to));
    const isCopied = value.bytes === value.cell;
    const isText = value.storageClass > numberClass;
    this.first = isText && isCopied ? value.first - value.from : 0;
    this.past = isText ? this.first + value.past - value.first : 0;
    // Decoded bytes are memory of their own already.
    this.bytes = isCopied || !isText ? this.#written : value.bytes;
  }

  /** A row that is not valid JSON is a text. */
  get json(): Uint8Array {
    return this.#flags & brokenRow ? Buffer.from(JSON.stringify(this.#written.toString())) : this.#written;
  }

  /** The value as its cell shows it. */
  shown(maxLength: number): string {
    return textOf(shownPart(this.#written, 0, this.#written.length, this.#flags, maxLength));
  }

  /** The value as a filter spells it. Null for NULL. */
  get filterText(): string | null {
    const text = shownText(this.#written, 0, this.#written.length, this.#flags);
    if (text === undefined) return null;
    return this.storageClass === blobClass ? blobFilterText(text) : text;
  }
}

/** SQLite's order: NULL, numbers, texts and BLOBs. */
export function compareValues(one: Comparable, other: Comparable): number {
  if (one.storageClass !== other.storageClass) return one.storageClass - other.storageClass;
  if (one.storageClass === nullClass) return 0;
  if (one.storageClass === numberClass) {
    if (one.number === other.number) return one.roundingError - other.roundingError;
    return one.number < other.number ? -1 : 1;
  }
  const { bytes } = one;
  const otherBytes = other.bytes;
  let beside = other.first;
  for (let at = one.first; ; at++) {
    if (at >= one.past || beside >= other.past) return one.past - at - (other.past - beside);
    if (bytes[at] !== otherBytes[beside]) return bytes[at]! - otherBytes[beside]!;
    beside++;
  }
}

/** The least or the greatest of the values that are not NULL. */
export class Extreme {
  readonly #sign: -1 | 1;
  #best: KeptValue | undefined;

  constructor(sign: -1 | 1) {
    this.#sign = sign;
  }

  get value(): KeptValue | undefined {
    return this.#best;
  }

  offer(value: CellValue): void {
    if (!this.#best || compareValues(value, this.#best) * this.#sign > 0) this.#best = new KeptValue(value);
  }
}
