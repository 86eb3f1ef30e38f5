import { asciiText } from '../jsonNumbers.ts';
import type { CellValue } from './cellValue.ts';

/** A sum of numbers: exact for integers, and with compensated rounding errors for REALs. */
export class NumberSum {
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

  add(value: CellValue): void {
    this.#count++;
    const { number } = value;
    if (Number.isSafeInteger(number)) this.#addSafeInteger(number);
    // An integer beyond the range of doubles counts as infinite: a sum cannot show its digits.
    else if (Number.isFinite(number) && value.isInteger)
      this.#integers += BigInt(asciiText(value.cell, value.from, value.to));
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
