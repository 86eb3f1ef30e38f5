import { numberFormat } from '../../../src/base/formats.ts';
import type { ShownValue } from '../../../src/protocol/shownValues.ts';
import { isBlobType } from '../../../src/wire/values.ts';
import { pageLanguage } from '../../ui/host.ts';
import { byteLength, decodeBase64, isBase64 } from './blob.ts';

/** A BLOB in a cell. The cell may have only the beginning of its base64. */
interface Blob {
  readonly base64: string;
  readonly size: number;
}

/** The BLOB that a text is in base64; undefined for other values. A column of the type BLOB may hold texts as well. */
export function blobOf(value: ShownValue, type: string): Blob | undefined {
  if (value.kind !== 'text' || !isBlobType(type)) return undefined;
  const { text, length = text.length } = value;
  if (!isBase64(text, length)) return undefined;
  // The end of a cut text is not known. It is at most two bytes shorter, which no rounded size shows.
  const base64 = text.slice(0, text.length - (text.length % 4));
  return { base64, size: byteLength(length, length === text.length ? text : '') };
}

/** A BLOB as filters and SQL name it. */
export const blobLiteral = ({ base64 }: Blob): string => `x'${hexOf(decodeBase64(base64), '')}'`;

/** How many bytes a cell shows. */
const shownBytes = 12;

/** The size and the first bytes of a BLOB, such as `7 B 00 11 FF…`. */
export function blobText({ base64, size }: Blob): string {
  const shown = hexOf(decodeBase64(base64, shownBytes), ' ').toUpperCase();
  return [sizeText(size), size > shownBytes ? `${shown}…` : shown].join(' ').trimEnd();
}

const hexOf = (bytes: Uint8Array, separator: string): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(separator);

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
/** Up to here a size is shown in bytes. A cut text, whose size is rounded, is longer. */
const maxBytesAsSuch = 700;

function sizeText(size: number): string {
  if (size <= maxBytesAsSuch) return `${size} B`;
  const step = Math.max(1, Math.min(units.length - 1, Math.floor(Math.log10(size) / 3)));
  const format = numberFormat(pageLanguage(), {
    style: 'unit',
    unit: units[step],
    unitDisplay: 'short',
    maximumSignificantDigits: 2,
  });
  return format.format(size / 1000 ** step);
}
