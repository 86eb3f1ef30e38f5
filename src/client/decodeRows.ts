import { isUtf8 } from 'node:buffer';
import { type ProjectError, protocolError } from '../base/errors.ts';
import { parseExact, parseRounding } from '../wire/exactJson.ts';
import type { Row } from '../wire/values.ts';
import { splitRows } from './rowEnd.ts';
import type { Frame } from './rowFramer.ts';

export interface DecodedRows {
  readonly rows: Row[];
  /** Why the rows end before the frame does. */
  readonly fault: ProjectError | undefined;
}

/**
 * The rows of a frame. One JSON.parse does them all; only a frame with an integer that a double may not hold, or with
 * a fault in it, is taken row by row.
 */
export function decodeRows(frame: Frame, exactIntegers: boolean): DecodedRows {
  const exact = exactIntegers && hasLongDigits(frame.bytes);
  if (!exact) {
    try {
      return { rows: parseRounding(`[${textOf(frame.bytes)}]`) as Row[], fault: undefined };
    } catch {
      // The row that broke it is found below.
    }
  }
  const rows: Row[] = [];
  try {
    for (const row of splitRows(frame.bytes)) {
      rows.push((exact && hasLongDigits(row) ? parseExact(textOf(row)) : parseRounding(textOf(row))) as Row);
    }
  } catch {
    return { rows, fault: protocolError('invalid_json', 'A row of the answer is not valid JSON.') };
  }
  return { rows, fault: undefined };
}

/** The frame up to its first row that is not UTF-8. */
export function cutAtBadUtf8(frame: Frame): { frame: Frame | undefined; fault: ProjectError | undefined } {
  if (isUtf8(frame.bytes)) return { frame, fault: undefined };
  const fault = protocolError('invalid_utf8', 'A row of the answer is not valid UTF-8.');
  let rowCount = 0;
  let end = 0;
  for (const row of splitRows(frame.bytes)) {
    if (!isUtf8(row)) break;
    rowCount++;
    end = row.byteOffset + row.length - frame.bytes.byteOffset;
  }
  return { frame: rowCount === 0 ? undefined : { bytes: frame.bytes.subarray(0, end), rowCount }, fault };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** Digits of the smallest integer that a double may not hold, 2^53. */
const longRun = 16;
const dot = 0x2e;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/**
 * Whether a run of 16 digits is there that may be an integer. Such a run holds four digits in a row at each of 13
 * places next to each other, so a look at every 13th place is enough, and four bytes are looked at as one number: `0`
 * to `9` and the few characters behind them share their upper halves. Digits behind a decimal point are a fraction,
 * which is what most long runs are.
 */
export function hasLongDigits(bytes: Uint8Array): boolean {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = bytes.length - 4;
  for (let at = 0; at <= end; at += longRun - 3) {
    if ((words.getUint32(at) & 0xf0f0f0f0) === 0x30303030 && isLongRun(bytes, at)) return true;
  }
  return false;
}

function isLongRun(bytes: Uint8Array, within: number): boolean {
  if (!isDigit(bytes[within])) return false;
  let start = within;
  while (isDigit(bytes[start - 1])) start--;
  let end = within + 1;
  while (isDigit(bytes[end])) end++;
  return end - start >= longRun && bytes[start - 1] !== dot;
}
