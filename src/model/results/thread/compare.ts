import { blobBytes } from './formats/literals.ts';
import { blobColumn, kindOf, shownText, differentSpelling } from './cell.ts';
import { asciiText, numberAt } from './jsonNumbers.ts';

// SQLite sorts NULL before numbers, and numbers before texts.
export const nullClass = 0;
export const numberClass = 1;
export const textClass = 2;

export function storageClassAt(bytes: Uint8Array, from: number): number {
  if (from === -1) return nullClass;
  switch (bytes[from]) {
    case 0x6e:
      return nullClass;
    case 0x22:
    case 0x7b:
    case 0x5b:
      return textClass;
    default:
      return numberClass;
  }
}

/** A number for sorting. As in SQLite, true and false are 1 and 0. */
export function orderedNumberAt(bytes: Uint8Array, from: number, to: number): number {
  if (bytes[from] === 0x74) return 1;
  return bytes[from] === 0x66 ? 0 : numberAt(bytes, from, to);
}

export function roundingErrorAt(bytes: Uint8Array, from: number, to: number, rounded: number): number {
  if (to - from < 16 || Number.isSafeInteger(rounded)) return 0;
  const text = asciiText(bytes, from, to);
  return /^-?\d+$/.test(text) && Number.isFinite(rounded) ? Number(BigInt(text) - BigInt(rounded)) : 0;
}

export const isBlobAt = (bytes: Buffer, from: number, to: number, flags: number): boolean =>
  (flags & blobColumn) !== 0 &&
  kindOf(bytes, from) === 'text' &&
  blobBytes(shownText(bytes, from, to, flags) ?? '') !== undefined;

/** The bytes by which SQLite sorts a text or BLOB: its UTF-8 or its own bytes, as a range of a buffer. */
export function textBytesAt(
  bytes: Buffer,
  from: number,
  to: number,
  flags: number,
): readonly [bytes: Uint8Array, from: number, to: number] {
  // An array or an object is sorted by its JSON.
  if (bytes[from] !== 0x22) return [bytes, from, to];
  const blob = flags & blobColumn ? blobBytes(shownText(bytes, from, to, flags) ?? '') : undefined;
  if (blob) return [blob, 0, blob.length];
  if (!(flags & differentSpelling)) return [bytes, from + 1, to - 1];
  const text = Buffer.from(shownText(bytes, from, to, flags) ?? '');
  return [text, 0, text.length];
}
