import { parseExact } from '../../../wire/exactJson.ts';
import { type SqlValue, tagValue, textOf } from '../../../wire/values.ts';

/** Set where a value's text is not what its bytes say: an escape, a number in another spelling than ours. */
export const spelledOtherwise = 1;
/** Set where a string has more than ASCII. */
export const beyondAscii = 2;
/** Set for the first column of a row that cannot be read: the value is the row's own text. */
export const brokenRow = 4;
/** Set in columns of BLOBs: a string is the base64 of bytes. */
export const ofBlobs = 8;

/** What the bytes of a value begin with. */
export type CellKind = 'null' | 'boolean' | 'number' | 'text' | 'json';

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

/** The text that a cell shows. NULL has none. */
export function shownText(bytes: Buffer, from: number, to: number, flags: number): string | undefined {
  const kind = kindOf(bytes, from);
  if (kind === 'null') return undefined;
  if (flags & brokenRow) return bytes.toString('utf8', from, to);
  if (!(flags & spelledOtherwise)) {
    const inside = kind === 'text' ? 1 : 0;
    return bytes.toString(flags & beyondAscii ? 'utf8' : 'latin1', from + inside, to - inside);
  }
  return textOf(tagValue(valueAt(bytes, from, to)));
}

/** The value of a cell, as the client would have decoded it. What cannot be decoded is its own text. */
export function valueAt(bytes: Buffer, from: number, to: number): SqlValue {
  const text = bytes.toString('utf8', from, to);
  try {
    return parseExact(text) as SqlValue;
  } catch {
    return text;
  }
}
