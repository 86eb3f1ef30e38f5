import { parseExact } from '../../../wire/exactJson.ts';
import { tagValue, textOf } from '../../../protocol/shownValues.ts';
import type { SqlValue } from '../../../wire/values.ts';

// Flags of a cell's bytes.

/** The cell shows a text that differs from its bytes: it has an escape, or a number that we spell differently. */
export const differentSpelling = 1;
/** A string with characters beyond ASCII. */
export const beyondAscii = 2;
/** The row is not valid JSON. Its first column shows the text of the whole row. */
export const brokenRow = 4;
/** The column holds BLOBs: a string is base64. */
export const blobColumn = 8;

export type CellTest = (bytes: Buffer, from: number, to: number, flags: number) => boolean;

export type CellKind = 'null' | 'boolean' | 'number' | 'text' | 'json';

/** A longer array or object is shown as the service wrote it: its values would take many times the memory of its bytes. */
const maxDecodedJsonBytes = 256 * 1024;
/** A longer number is shown as the service wrote it: no number of SQLite is longer. */
const maxDecodedNumberBytes = 1000;

/** `from` is -1 if the row does not have the column. */
export function kindOf(bytes: Uint8Array, from: number): CellKind {
  if (from === -1) return 'null';
  switch (bytes[from]) {
    case 0x22:
      return 'text';
    case 0x6e:
      return 'null';
    case 0x74:
    case 0x66:
      return 'boolean';
    case 0x7b:
    case 0x5b:
      return 'json';
    default:
      return 'number';
  }
}

export function shownText(bytes: Buffer, from: number, to: number, flags: number): string | undefined {
  const kind = kindOf(bytes, from);
  if (kind === 'null') return undefined;
  if (isShownAsWritten(kind, to - from, flags)) return bytes.toString('utf8', from, to);
  if (!(flags & differentSpelling)) {
    const quoteBytes = kind === 'text' ? 1 : 0;
    return bytes.toString(flags & beyondAscii ? 'utf8' : 'latin1', from + quoteBytes, to - quoteBytes);
  }
  return textOf(tagValue(valueAt(bytes, from, to)));
}

/** The value of a cell as the client decodes it. If it cannot be decoded, its text. */
export function valueAt(bytes: Buffer, from: number, to: number): SqlValue {
  const text = bytes.toString('utf8', from, to);
  try {
    return parseExact(text) as SqlValue;
  } catch {
    return text;
  }
}

export function isShownAsWritten(kind: CellKind, byteLength: number, flags: number): boolean {
  if (flags & brokenRow) return true;
  return byteLength > (kind === 'json' ? maxDecodedJsonBytes : kind === 'number' ? maxDecodedNumberBytes : Infinity);
}
