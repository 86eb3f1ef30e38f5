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
import { hashOfBytes, hashOfNumber } from '../distinct.ts';
import { blobFilterText } from '../formats/literals.ts';
import { isInteger } from '../jsonNumbers.ts';
import type { RowWalker } from '../rowWalker.ts';
import { shownPart } from '../shownPart.ts';

export const blobClass = textClass + 1;

const hashSeeds = [0, 0x2c1b3c6d, 0x297a2d39, 0x1f83d9ab];
/** Room for slightly longer values that follow. */
const spareBytes = 16;
const nothing = Buffer.alloc(0);

/** The value of a cell, read once for all figures that need it. The next read replaces it. */
export class CellValue {
  storageClass = nullClass;
  number = 0;
  roundingError = 0;
  /** Whether it is true or false, which are sorted as 1 and 0, but are no numbers. */
  isWord = false;
  /** The bytes by which a text or BLOB is compared. */
  bytes: Uint8Array = nothing;
  first = 0;
  past = 0;
  hash = 0;
  // The cell as the service wrote it.
  cell: Buffer = nothing;
  from = -1;
  to = -1;
  flags = 0;

  /** Reads a value of the walker's row. A row without the column has NULL. */
  read({ bytes, from, to, flags }: RowWalker, slot: number): void {
    if (slot === -1) this.#read(nothing, -1, -1, 0);
    else this.#read(bytes as Buffer, from[slot]!, to[slot]!, flags[slot]!);
  }

  /** Replaces the value by a text of ASCII letters and digits, or NULL. */
  replace(text: string | undefined): void {
    const cell = Buffer.from(text === undefined ? 'null' : `"${text}"`);
    this.#read(cell, 0, cell.length, 0);
  }

  /** Becomes a copy of another value. It stays when the next rows are read. */
  keep(value: CellValue): this {
    const { storageClass, bytes, cell, from, to } = value;
    if (storageClass === nullClass) {
      this.replace(undefined);
      return this;
    }
    if (to - from > this.cell.length) this.cell = Buffer.allocUnsafe(to - from + spareBytes);
    for (let at = from; at < to; at++) this.cell[at - from] = cell[at]!;
    this.storageClass = storageClass;
    this.number = value.number;
    this.roundingError = value.roundingError;
    this.isWord = value.isWord;
    this.hash = value.hash;
    this.from = 0;
    this.to = to - from;
    this.flags = value.flags;
    if (storageClass === numberClass) return this;
    // Decoded bytes are memory of their own.
    const start = bytes === cell ? from : 0;
    this.bytes = bytes === cell ? this.cell : bytes;
    this.first = value.first - start;
    this.past = value.past - start;
    return this;
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

  /** A row that is not valid JSON is a text. */
  get json(): Uint8Array {
    const written = this.cell.subarray(this.from, this.to);
    return this.flags & brokenRow ? Buffer.from(JSON.stringify(written.toString())) : written;
  }

  /** The value as its cell shows it. */
  shown(maxLength: number): string {
    return textOf(shownPart(this.cell, this.from, this.to, this.flags, maxLength));
  }

  /** The value as a filter spells it. Null for NULL. */
  get filterText(): string | null {
    const text = shownText(this.cell, this.from, this.to, this.flags);
    if (text === undefined) return null;
    return this.storageClass === blobClass ? blobFilterText(text) : text;
  }

  #read(cell: Buffer, from: number, to: number, flags: number): void {
    this.cell = cell;
    this.from = from;
    this.to = to;
    this.flags = flags;
    this.isWord = false;
    this.storageClass = storageClassAt(cell, from);
    if (this.storageClass === nullClass) this.hash = 0;
    else if (this.storageClass === numberClass) {
      this.number = orderedNumberAt(cell, from, to);
      this.roundingError = roundingErrorAt(cell, from, to, this.number);
      this.isWord = cell[from] === 0x74 || cell[from] === 0x66;
      this.hash = this.isWord
        ? hashOfBytes(cell, from, to, hashSeeds[numberClass]!)
        : hashOfNumber(this.number, this.roundingError);
    } else {
      if (flags & blobColumn && isBlobAt(cell, from, to, flags)) this.storageClass = blobClass;
      [this.bytes, this.first, this.past] = textBytesAt(cell, from, to, flags);
      this.hash = hashOfBytes(this.bytes, this.first, this.past, hashSeeds[this.storageClass]!);
    }
  }
}

/** SQLite's order: NULL, numbers, texts and BLOBs. */
export function compareValues(one: CellValue, other: CellValue): number {
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
