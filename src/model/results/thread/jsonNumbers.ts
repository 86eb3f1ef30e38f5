import { dot, isAt, minus, nine, zero } from '../../../base/jsonBytes.ts';
import { differentSpelling } from './cell.ts';

const threeZeros = Uint8Array.of(zero, zero, zero);
const words: readonly Uint8Array[] = ['true', 'false', 'null'].map(word => Buffer.from(word));

/** 0 if a number or word is spelled as we spell it, `differentSpelling` otherwise, and -1 if it is not JSON. */
export function spellingOf(bytes: Uint8Array, from: number, to: number): number {
  if (bytes[from]! > nine) return words.some(word => word.length === to - from && isAt(bytes, from, word)) ? 0 : -1;
  const isNegative = bytes[from] === minus;
  const whole = isNegative ? from + 1 : from;
  let at = pastDigits(bytes, whole, to);
  if (at === whole || (bytes[whole] === zero && at > whole + 1)) return -1;
  let spelling = isNegative && bytes[whole] === zero && at === to ? differentSpelling : 0;
  if (at < to && bytes[at] === dot) {
    const fraction = at + 1;
    at = pastDigits(bytes, fraction, to);
    if (at === fraction) return -1;
    // JavaScript drops zeros at the end and digits that change nothing, and writes small numbers with an exponent.
    if (bytes[at - 1] === zero || at - from > 16 || isAt(bytes, fraction, threeZeros)) spelling = differentSpelling;
  }
  if (at < to && (bytes[at]! | 0x20) === 0x65) {
    const sign = bytes[at + 1] === minus || bytes[at + 1] === 0x2b ? 1 : 0;
    const exponent = at + 1 + sign;
    at = pastDigits(bytes, exponent, to);
    if (at === exponent) return -1;
    spelling = differentSpelling;
  }
  return at === to ? spelling : -1;
}

function pastDigits(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at]! >= zero && bytes[at]! <= nine) at++;
  return at;
}

/** Longer texts are decoded natively: joining single characters takes 32 bytes of memory for each. */
const shortLength = 32;

export function asciiText(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > shortLength) {
    return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
  }
  let text = '';
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}

const exactPowers = Float64Array.from({ length: 23 }, (_, power) => 10 ** power);

/** As Number() reads it. Fifteen digits and small powers of ten are exact in a double, so one division gives the nearest. */
export function numberAt(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > 16) return Number(asciiText(bytes, from, to));
  const isNegative = bytes[from] === minus;
  let digits = 0;
  let decimals = -1;
  for (let at = isNegative ? from + 1 : from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte >= zero && byte <= nine) {
      digits = digits * 10 + (byte - zero);
      if (decimals >= 0) decimals++;
    } else if (byte === dot) decimals = 0;
    else return Number(asciiText(bytes, from, to));
  }
  if (digits > Number.MAX_SAFE_INTEGER) return Number(asciiText(bytes, from, to));
  const value = decimals > 0 ? digits / exactPowers[decimals]! : digits;
  return isNegative ? -value : value;
}

export function isInteger(bytes: Uint8Array, from: number, to: number): boolean {
  return pastDigits(bytes, bytes[from] === minus ? from + 1 : from, to) === to;
}

const minInteger = -(2n ** 63n);
const maxInteger = 2n ** 63n - 1n;

/** A number as SQLite stores it: integers of 64 bits as bigint, all others as REAL. */
export function sqliteNumberAt(bytes: Uint8Array, from: number, to: number): number | bigint {
  const number = numberAt(bytes, from, to);
  if (!isInteger(bytes, from, to)) return number;
  if (Number.isSafeInteger(number)) return BigInt(number);
  // Do not make a bigint of it: many digits take long to parse.
  if (Math.abs(number) > Number(maxInteger)) return number;
  const integer = BigInt(asciiText(bytes, from, to));
  return integer >= minInteger && integer <= maxInteger ? integer : number;
}
