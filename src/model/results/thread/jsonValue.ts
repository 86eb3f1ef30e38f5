import {
  backslash,
  closeBrace,
  colon,
  comma,
  nine,
  openBrace,
  pastBlanks,
  pastEscape,
  quote,
  zero,
} from '../../../base/jsonBytes.ts';
import { spellingOf } from './jsonNumbers.ts';

const space = 0x20;
/** Far deeper than the client accepts. Rows of an earlier version may nest this deep. */
const maxDepth = 1 << 20;

/**
 * The index just past the array or object that begins at `from`, or -1 if it is not valid JSON. It builds no values, so that
 * the memory for a check does not depend on the service. There must be quotes after `end`.
 */
export function pastNestedJson(bytes: Uint8Array, from: number, end: number): number {
  const closers: number[] = [];
  let at = from;
  for (;;) {
    const first = bytes[at]!;
    if ((first | space) === openBrace) {
      if (closers.length === maxDepth) return -1;
      const closer = closerOf(first);
      closers.push(closer);
      at = pastBlanks(bytes, at + 1);
      if (bytes[at] !== closer) {
        if (closer === closeBrace) at = pastName(bytes, at);
        if (at === -1) return -1;
        continue;
      }
    } else at = pastScalar(bytes, at, end);
    // The closing brackets after a value, up to the comma before the next one.
    for (;;) {
      if (at === -1 || at >= end) return -1;
      at = pastBlanks(bytes, at);
      const closer = closers.at(-1)!;
      if (bytes[at] === closer) {
        closers.pop();
        at++;
        if (closers.length === 0) return at <= end ? at : -1;
        continue;
      }
      if (bytes[at] !== comma) return -1;
      at = pastBlanks(bytes, at + 1);
      if (closer === closeBrace) at = pastName(bytes, at);
      if (at === -1) return -1;
      break;
    }
  }
}

/** In ASCII, a closing bracket is the second character after its opening bracket. */
const closerOf = (opener: number): number => opener + 2;

/** The index of the value after the name that begins at `from`, or -1 if there is no name. */
function pastName(bytes: Uint8Array, from: number): number {
  const past = pastKey(bytes, from);
  return past === -1 ? -1 : pastBlanks(bytes, past);
}

/** The index just past the colon after the key that begins at `from`, or -1 if it is not valid JSON. */
export function pastKey(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== quote) return -1;
  const past = pastText(bytes, from + 1);
  if (past === -1) return -1;
  const at = pastBlanks(bytes, past);
  return bytes[at] === colon ? at + 1 : -1;
}

/** The index just past a string, a number or a word, or -1 if there is none. */
function pastScalar(bytes: Uint8Array, from: number, end: number): number {
  if (bytes[from] === quote) return pastText(bytes, from + 1);
  let at = from;
  let otherBytes = 0;
  for (let byte = bytes[at]!; at < end && !endsScalar(byte); byte = bytes[++at]!) {
    if (byte < zero || byte > nine) otherBytes++;
  }
  if (otherBytes === 0 && at > from && (bytes[from] !== zero || at === from + 1)) return at;
  return at > from && spellingOf(bytes, from, at) !== -1 ? at : -1;
}

const endsScalar = (byte: number): boolean => byte <= space || byte === comma || (byte | space) === closeBrace;

/** The index just past the string that `from` is in, or -1 if it is not valid JSON. */
function pastText(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let byte = bytes[at++]!; byte !== quote; byte = bytes[at++]!) {
    // JSON must escape control characters.
    if (byte < space) return -1;
    if (byte !== backslash) continue;
    at = pastEscape(bytes, at);
    if (at === -1) return -1;
  }
  return at;
}
