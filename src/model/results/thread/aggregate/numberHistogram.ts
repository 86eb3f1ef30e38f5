import type { ProfileBar } from '../../../../protocol/profile.ts';

/** More are not kept: the bars of a column are small. */
const maxBars = 64;
/** SQLite has no greater integers. A greater whole number is a REAL. */
const greatestInteger = 2 ** 63;
/** The bars of the first number are narrow, so that the bars of numbers near it tell them apart. */
const firstPrecision = 50;

/**
 * Counts numbers in bars of one width, in one pass: when a number lies too far outside, the width doubles, and two bars become
 * one. The width is a power of two, so that no bar begins or ends at a rounded number.
 */
export class NumberHistogram {
  /** The count of a bar is at the number of the bar modulo {@link maxBars}. */
  #counts = new Float64Array(maxBars);
  #exponent = 0;
  #width = 0;
  #first = 0;
  #last = -1;
  #hasOnlyIntegers = true;

  /** An integer beyond 2^53 comes as a rounded number, with its distance from that. */
  add(number: number, roundingError: number): void {
    if (!Number.isFinite(number)) return;
    this.#hasOnlyIntegers &&= Number.isInteger(number) && Math.abs(number) <= greatestInteger;
    if (this.#width === 0) this.#begin(number);
    let bar = this.#barOf(number, roundingError);
    while (Math.max(this.#last, bar) - Math.min(this.#first, bar) >= maxBars) {
      this.#widen();
      bar = this.#barOf(number, roundingError);
    }
    this.#first = Math.min(this.#first, bar);
    this.#last = Math.max(this.#last, bar);
    this.#counts[placeOf(bar)]!++;
  }

  /** The bars from the least number to the greatest. Empty ones between them are among them. */
  get bars(): ProfileBar[] {
    while (this.#hasOnlyIntegers && this.#width !== 0 && this.#width < 1) this.#widen();
    const bars: ProfileBar[] = [];
    for (let bar = this.#first; bar <= this.#last; bar++) {
      bars.push(barOf(bar, this.#counts[placeOf(bar)]!, this.#width, this.#hasOnlyIntegers));
    }
    return bars;
  }

  #barOf(number: number, roundingError: number): number {
    const bar = Math.floor(number / this.#width);
    return roundingError < 0 && bar * this.#width === number ? bar - 1 : bar;
  }

  #begin(number: number): void {
    const size = number === 0 ? 0 : Math.floor(Math.log2(Math.abs(number)));
    this.#exponent = Math.max(size - firstPrecision, -1000);
    this.#width = 2 ** this.#exponent;
    this.#first = Math.floor(number / this.#width);
    this.#last = this.#first;
  }

  #widen(): void {
    const counts = new Float64Array(maxBars);
    for (let bar = this.#first; bar <= this.#last; bar++) {
      counts[placeOf(Math.floor(bar / 2))]! += this.#counts[placeOf(bar)]!;
    }
    this.#counts = counts;
    this.#first = Math.floor(this.#first / 2);
    this.#last = Math.floor(this.#last / 2);
    this.#exponent++;
    this.#width = 2 ** this.#exponent;
  }
}

/** The numbers of a bar, which begins at a multiple of the width. */
export function barOf(bar: number, count: number, width: number, hasOnlyIntegers: boolean): ProfileBar {
  // The first bar of the least numbers begins before them, where no number is.
  const from = Math.max(bar * width, -Number.MAX_VALUE);
  const next = (bar + 1) * width;
  const [least, greatest] = hasOnlyIntegers ? [BigInt(from), BigInt(next) - 1n] : [from, numberBefore(next)];
  return { from: String(least), to: String(greatest), count };
}

/** The width of the bars from one number to another. */
export function barWidth(least: number, greatest: number, hasOnlyIntegers: boolean): number {
  const exponent = Math.max(-1000, Math.floor(Math.log2(greatest / maxBars - least / maxBars)));
  let width = hasOnlyIntegers ? Math.max(1, 2 ** exponent) : 2 ** exponent;
  while (Math.floor(greatest / width) - Math.floor(least / width) >= maxBars) width *= 2;
  return width;
}

const placeOf = (bar: number): number => ((bar % maxBars) + maxBars) % maxBars;

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The greatest double that is less than the number. */
function numberBefore(number: number): number {
  if (number === 0) return -Number.MIN_VALUE;
  double[0] = number;
  bits[0]! += number > 0 ? -1n : 1n;
  return double[0];
}
