import type { CellRange, Summary } from '../../../protocol/rowQueries.ts';
import {
  isBlobAt,
  storageClassAt,
  nullClass,
  numberClass,
  orderedNumberAt,
  roundingErrorAt,
  textBytesAt,
} from './compare.ts';
import { Distinct, hashOfBytes, hashOfNumber } from './distinct.ts';
import type { Job } from '../../job.ts';
import { type RowsFile, scanInFileOrder, type ShownRows } from './rowsFile.ts';
import type { RowWalker } from './rowWalker.ts';
import { shownLength, textOf } from '../../../protocol/shownValues.ts';
import { shownPart } from './shownPart.ts';
import { asciiText, isInteger, numberAt } from './jsonNumbers.ts';

export async function summarize(
  job: Job,
  file: RowsFile,
  shown: ShownRows,
  ranges: readonly CellRange[],
): Promise<Summary> {
  const cells = new CellSums();
  for (const [nth, { firstRow, endRow, columns }] of ranges.entries()) {
    const { walker, slots } = file.createWalker(columns.filter(column => column < file.columns.length));
    await scanInFileOrder(job, file, shown, {
      walker,
      firstRow,
      endRow: Math.min(endRow, shown.rowCount),
      share: [nth / ranges.length, (nth + 1) / ranges.length],
      onRow: () => {
        for (const slot of slots) cells.add(walker, slot);
      },
    });
  }
  return cells.summary();
}

const numberSeed = 0x2c1b3c6d;
const textSeed = 0x297a2d39;
const blobSeed = 0x1f83d9ab;

class CellSums {
  readonly #sum = new NumberSum();
  readonly #distinct = new Distinct();
  readonly #least = new Extreme(-1);
  readonly #greatest = new Extreme(1);
  #cells = 0;
  #nulls = 0;

  add(walker: RowWalker, slot: number): void {
    this.#cells++;
    const bytes = walker.bytes as Buffer;
    const from = walker.from[slot]!;
    const kind = storageClassAt(bytes, from);
    if (kind === nullClass) {
      this.#nulls++;
      return;
    }
    const to = walker.to[slot]!;
    const flags = walker.flags[slot]!;
    // The bytes of a picture say nothing as the greatest value, and they would hide that of the texts.
    if (isBlobAt(bytes, from, to, flags)) {
      this.#distinct.add(hashOfBytes(bytes, from, to, blobSeed));
      return;
    }
    const value = kind === numberClass ? this.#number(bytes, from, to) : this.#text(bytes, from, to, flags);
    this.#least.offer(value, bytes, from, to, flags);
    this.#greatest.offer(value, bytes, from, to, flags);
  }

  summary(): Summary {
    const { sum, average } = this.#sum;
    const min = this.#least.shown;
    const max = this.#greatest.shown;
    return {
      cells: this.#cells,
      nulls: this.#nulls,
      numbers: this.#sum.count,
      distinct: this.#distinct.count,
      ...(this.#distinct.isFull ? { distinctOrMore: true } : {}),
      ...(sum === undefined || average === undefined ? {} : { sum, average }),
      ...(min === undefined || max === undefined ? {} : { min, max }),
    };
  }

  #number(bytes: Buffer, from: number, to: number): Comparable {
    const number = orderedNumberAt(bytes, from, to);
    const roundingError = roundingErrorAt(bytes, from, to, number);
    // true and false are sorted as 1 and 0, but they are not numbers.
    const isWord = bytes[from] === 0x74 || bytes[from] === 0x66;
    if (!isWord) this.#sum.add(bytes, from, to);
    this.#distinct.add(isWord ? hashOfBytes(bytes, from, to, numberSeed) : hashOfNumber(number, roundingError));
    return { kind: numberClass, number, roundingError, text: bytes, from, to };
  }

  #text(bytes: Buffer, from: number, to: number, flags: number): Comparable {
    const [text, first, past] = textBytesAt(bytes, from, to, flags);
    this.#distinct.add(hashOfBytes(text, first, past, textSeed));
    return { kind: numberClass + 1, number: 0, roundingError: 0, text, from: first, to: past };
  }
}

/** A value for comparing: a number with its rounding error, or the bytes of a text. */
interface Comparable {
  readonly kind: number;
  readonly number: number;
  readonly roundingError: number;
  readonly text: Uint8Array;
  readonly from: number;
  readonly to: number;
}

function compareValues(one: Comparable, other: Comparable): number {
  if (one.kind !== other.kind) return one.kind - other.kind;
  if (one.kind === numberClass) {
    if (one.number === other.number) return one.roundingError - other.roundingError;
    return one.number < other.number ? -1 : 1;
  }
  const first = one.text;
  const second = other.text;
  let beside = other.from;
  for (let at = one.from; ; at++) {
    if (at >= one.to || beside >= other.to) return one.to - at - (other.to - beside);
    if (first[at] !== second[beside]) return first[at]! - second[beside]!;
    beside++;
  }
}

class Extreme {
  readonly #sign: number;
  #best: (Comparable & { readonly shown: string }) | undefined;

  constructor(sign: -1 | 1) {
    this.#sign = sign;
  }

  get shown(): string | undefined {
    return this.#best?.shown;
  }

  /** Copies the bytes of the value: the next rows overwrite them. */
  offer(value: Comparable, bytes: Buffer, from: number, to: number, flags: number): void {
    if (this.#best && compareValues(value, this.#best) * this.#sign <= 0) return;
    const text = value.kind === numberClass ? nothing : value.text.slice(value.from, value.to);
    const shown = textOf(shownPart(bytes, from, to, flags, shownLength));
    this.#best = { ...value, text, from: 0, to: text.length, shown };
  }
}

const nothing = new Uint8Array(0);

/** A sum of numbers: exact for integers, and with compensated rounding errors for REALs. */
class NumberSum {
  #count = 0;
  #integers = 0n;
  /** The part of the integers' sum that a double holds exactly. Adding to a double is faster than to a bigint. */
  #safeIntegers = 0;
  #reals = 0;
  #compensation = 0;
  #hasReals = false;

  get count(): number {
    return this.#count;
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    this.#count++;
    const number = numberAt(bytes, from, to);
    if (Number.isSafeInteger(number)) this.#addSafeInteger(number);
    // An integer beyond the range of doubles counts as infinite: a sum cannot show its digits.
    else if (Number.isFinite(number) && isInteger(bytes, from, to))
      this.#integers += BigInt(asciiText(bytes, from, to));
    else this.#addReal(number);
  }

  get sum(): string | undefined {
    if (this.#count === 0) return undefined;
    return this.#hasReals ? String(this.#total) : String(this.#exact);
  }

  get average(): string | undefined {
    if (this.#count === 0) return undefined;
    const exact = this.#exact;
    const count = BigInt(this.#count);
    if (!this.#hasReals && exact % count === 0n) return String(exact / count);
    return String((this.#hasReals ? this.#total : Number(exact)) / this.#count);
  }

  get #exact(): bigint {
    return this.#integers + BigInt(this.#safeIntegers);
  }

  get #total(): number {
    return Number(this.#exact) + (Number.isFinite(this.#reals) ? this.#reals + this.#compensation : this.#reals);
  }

  #addSafeInteger(number: number): void {
    const sum = this.#safeIntegers + number;
    if (Number.isSafeInteger(sum)) this.#safeIntegers = sum;
    else {
      this.#integers += BigInt(this.#safeIntegers);
      this.#safeIntegers = number;
    }
  }

  /** Neumaier's summation. */
  #addReal(number: number): void {
    this.#hasReals = true;
    const sum = this.#reals + number;
    const isLess = Math.abs(this.#reals) < Math.abs(number);
    this.#compensation += isLess ? number - sum + this.#reals : this.#reals - sum + number;
    this.#reals = sum;
  }
}
