import { asciiText, isInteger, numberAt } from './jsonNumbers.ts';

/** A sum of numbers: exact for integers, and with compensated rounding errors for REALs. */
export class NumberSum {
  #count = 0;
  #integers = 0n;
  /** The part of the integers' sum that a double holds exactly. Adding to a double is faster than to a bigint. */
  #small = 0;
  #reals = 0;
  #lost = 0;
  #hasReals = false;

  get count(): number {
    return this.#count;
  }

  /** Adds a JSON number. */
  add(bytes: Uint8Array, from: number, to: number): void {
    this.#count++;
    const number = numberAt(bytes, from, to);
    if (Number.isSafeInteger(number)) this.#addSmall(number);
    // An integer beyond the range of doubles counts as infinite: a sum cannot show its digits.
    else if (Number.isFinite(number) && isInteger(bytes, from, to))
      this.#integers += BigInt(asciiText(bytes, from, to));
    else this.#addReal(number);
  }

  get sum(): string | undefined {
    if (this.#count === 0) return undefined;
    return this.#hasReals ? String(this.#whole) : String(this.#exact);
  }

  get average(): string | undefined {
    if (this.#count === 0) return undefined;
    const exact = this.#exact;
    const count = BigInt(this.#count);
    if (!this.#hasReals && exact % count === 0n) return String(exact / count);
    return String((this.#hasReals ? this.#whole : Number(exact)) / this.#count);
  }

  get #exact(): bigint {
    return this.#integers + BigInt(this.#small);
  }

  get #whole(): number {
    return Number(this.#exact) + (Number.isFinite(this.#reals) ? this.#reals + this.#lost : this.#reals);
  }

  #addSmall(number: number): void {
    const sum = this.#small + number;
    if (Number.isSafeInteger(sum)) this.#small = sum;
    else {
      this.#integers += BigInt(this.#small);
      this.#small = number;
    }
  }

  /** Neumaier's summation. */
  #addReal(number: number): void {
    this.#hasReals = true;
    const sum = this.#reals + number;
    const isLess = Math.abs(this.#reals) < Math.abs(number);
    this.#lost += isLess ? number - sum + this.#reals : this.#reals - sum + number;
    this.#reals = sum;
  }
}
