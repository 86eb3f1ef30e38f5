import { spelledOtherwise } from './cell.ts';

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const zero = 0x30;
const minus = 0x2d;
const dot = 0x2e;
const letterU = 0x75;
const blanks: ReadonlySet<number> = new Set(Buffer.from(' \t\n\r'));
const escapes: ReadonlySet<number> = new Set(Buffer.from(String.raw`"\/bfnrt`));
const zeros = Buffer.from('000');

/** The first byte from there on that is no blank. */
export function blank(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at]! <= 0x20 && blanks.has(bytes[at]!)) at++;
  return at;
}

/** The index just past the escape whose backslash stands before, or -1 for what is none. */
export function pastEscape(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== letterU) return escapes.has(bytes[from]!) ? from + 1 : -1;
  for (let at = from + 1; at < from + 5; at++) if (!isHex(bytes[at]!)) return -1;
  return from + 5;
}

const isHex = (byte: number): boolean =>
  (byte >= zero && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

/** Whether an array or object is whole and right. */
export function isJson(bytes: Uint8Array, from: number, to: number): boolean {
  try {
    JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

export function isAt(bytes: Uint8Array, from: number, wanted: Uint8Array): boolean {
  for (let at = 0; at < wanted.length; at++) if (bytes[from + at] !== wanted[at]) return false;
  return true;
}

/** The index just past the colon behind the key that begins there, or -1. */
export function pastKey(bytes: Uint8Array, from: number, end: number): number {
  if (bytes[from] !== quote) return -1;
  let at = from + 1;
  while (at < end && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  at = blank(bytes, at + 1);
  return at < end && bytes[at] === colon ? at + 1 : -1;
}

const words: readonly Uint8Array[] = ['true', 'false', 'null'].map(word => Buffer.from(word));

/** How a value that is no string is spelled: 0 as we do, `spelledOtherwise`, or -1 where it is no JSON at all. */
export function spellingOf(bytes: Uint8Array, from: number, to: number): number {
  if (bytes[from]! > 0x39) return words.some(word => word.length === to - from && isAt(bytes, from, word)) ? 0 : -1;
  const negative = bytes[from] === minus;
  const whole = negative ? from + 1 : from;
  let at = pastDigits(bytes, whole, to);
  if (at === whole || (bytes[whole] === zero && at > whole + 1)) return -1;
  let spelling = negative && bytes[whole] === zero && at === to ? spelledOtherwise : 0;
  if (at < to && bytes[at] === dot) {
    const fraction = at + 1;
    at = pastDigits(bytes, fraction, to);
    if (at === fraction) return -1;
    // JavaScript leaves out zeros at the end and digits that make no difference, and writes small numbers by exponent.
    if (bytes[at - 1] === zero || at - from > 16 || isAt(bytes, fraction, zeros)) spelling = spelledOtherwise;
  }
  if (at < to && (bytes[at]! | 0x20) === 0x65) {
    const sign = bytes[at + 1] === minus || bytes[at + 1] === 0x2b ? 1 : 0;
    const exponent = at + 1 + sign;
    at = pastDigits(bytes, exponent, to);
    if (at === exponent) return -1;
    spelling = spelledOtherwise;
  }
  return at === to ? spelling : -1;
}

function pastDigits(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at]! >= zero && bytes[at]! <= 0x39) at++;
  return at;
}

export function asciiText(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}

const exactPowers = Float64Array.from({ length: 23 }, (_, power) => 10 ** power);

/**
 * The number that a JSON number stands for, as Number() gives it. Up to fifteen digits and a small power of ten are
 * exact in a double, so that one division gives the nearest one.
 */
export function numberAt(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > 16) return Number(asciiText(bytes, from, to));
  const negative = bytes[from] === minus;
  let digits = 0;
  let places = -1;
  for (let at = negative ? from + 1 : from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte >= zero && byte <= 0x39) {
      digits = digits * 10 + (byte - zero);
      if (places >= 0) places++;
    } else if (byte === dot) places = 0;
    else return Number(asciiText(bytes, from, to));
  }
  if (digits > Number.MAX_SAFE_INTEGER) return Number(asciiText(bytes, from, to));
  const value = places > 0 ? digits / exactPowers[places]! : digits;
  return negative ? -value : value;
}

export function isInteger(bytes: Uint8Array, from: number, to: number): boolean {
  return pastDigits(bytes, bytes[from] === minus ? from + 1 : from, to) === to;
}

const leastInteger = -(2n ** 63n);
const greatestInteger = 2n ** 63n - 1n;

/** A number as SQLite stores it: integers of 64 bits as what they are, all others as REAL. */
export function integerAt(bytes: Uint8Array, from: number, to: number): number | bigint {
  const number = numberAt(bytes, from, to);
  if (!isInteger(bytes, from, to)) return number;
  const integer = Number.isSafeInteger(number) ? BigInt(number) : BigInt(asciiText(bytes, from, to));
  return integer >= leastInteger && integer <= greatestInteger ? integer : number;
}
