import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ProjectError, protocolError } from '../base/errors.ts';
import { dot, nine, objectsIn, quote, zero } from '../base/jsonBytes.ts';
import { parseExact, parseInSteps, parseRounding } from '../wire/exactJson.ts';
import type { Row } from '../wire/values.ts';
import type { RowBatch } from './rowBatcher.ts';

export interface DecodedRows {
  readonly rows: Row[];
  /** Set if a row is broken. The rows before it are decoded. */
  readonly fault: ProjectError | undefined;
}

/** One JSON.parse decodes a batch. A batch with an error, or with an integer that a double may not hold, is decoded row by row. */
export function decodeRows(batch: RowBatch, exactIntegers: boolean): DecodedRows {
  const isExact = exactIntegers && hasLongDigits(batch.bytes);
  if (!isExact) {
    try {
      return { rows: parseRounding(`[${utf8Text(batch.bytes)}]`) as Row[], fault: undefined };
    } catch {
      // The loop below finds the broken row.
    }
  }
  const rows: Row[] = [];
  try {
    for (const row of objectsIn(batch.bytes)) rows.push(decodeRow(utf8Text(row), isExact && hasLongDigits(row)));
  } catch {
    return { rows, fault: notJson() };
  }
  return { rows, fault: undefined };
}

/** Decodes a batch of one large row, and frees its bytes. Other work of the process gets a turn between the steps. */
export async function decodeLargeRow({ bytes }: RowBatch, exactIntegers: boolean): Promise<DecodedRows> {
  await nextTurn();
  const isExact = exactIntegers && hasLongDigits(bytes);
  const text = utf8Text(bytes);
  // Free the bytes before the garbage collector would: the text and its value take as much memory again.
  (bytes.buffer as ArrayBuffer).transfer(0);
  try {
    const steps = parseInSteps(text, { isExact });
    for (;;) {
      await nextTurn();
      const { done, value } = steps.next();
      if (done) return { rows: [value as Row], fault: undefined };
    }
  } catch {
    return { rows: [], fault: notJson() };
  }
}

const decodeRow = (text: string, isExact: boolean): Row => (isExact ? parseExact(text) : parseRounding(text)) as Row;

const notJson = (): ProjectError => protocolError('invalid_json', 'A row of the answer is not valid JSON.');

/** The rows before the first one that is not UTF-8. */
export function cutAtBadUtf8(batch: RowBatch): { batch: RowBatch | undefined; fault: ProjectError | undefined } {
  if (isUtf8(batch.bytes)) return { batch, fault: undefined };
  const fault = protocolError('invalid_utf8', 'A row of the answer is not valid UTF-8.');
  let rowCount = 0;
  let end = 0;
  for (const row of objectsIn(batch.bytes)) {
    if (!isUtf8(row)) break;
    rowCount++;
    end = row.byteOffset + row.length - batch.bytes.byteOffset;
  }
  return { batch: rowCount === 0 ? undefined : { bytes: batch.bytes.subarray(0, end), rowCount }, fault };
}

export function utf8Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** 2^53 has this many digits. A double does not hold all integers from there on. */
const longDigitCount = 16;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= zero && byte <= nine;

/**
 * Whether 16 consecutive digits may be an integer that a double does not hold.
 *
 * In any 16 consecutive digits, four begin at a multiple of 13. So only every 13th place is read, with four bytes as one
 * number: `0` to `9` and the six characters after them share their upper halves. Digits after a decimal point are a fraction,
 * and digits after a quote begin a string. Neither counts.
 */
export function hasLongDigits(bytes: Uint8Array): boolean {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = bytes.length - 4;
  for (let at = 0; at <= end; at += longDigitCount - 3) {
    if ((words.getUint32(at) & 0xf0f0f0f0) !== 0x30303030 || !isDigit(bytes[at])) continue;
    let start = at;
    while (isDigit(bytes[start - 1])) start--;
    // Continue after the digits: a text of millions of digits is searched once.
    while (isDigit(bytes[at])) at++;
    if (at - start >= longDigitCount && bytes[start - 1] !== dot && bytes[start - 1] !== quote) return true;
  }
  return false;
}
