import { numberFormat } from '../../../src/base/formats.ts';
import type { ShownValue } from '../../../src/protocol/shownValues.ts';
import { isBlobType } from '../../../src/wire/values.ts';
import { pageLanguage } from '../../ui/host.ts';

/** A BLOB of a cell. `base64` may be only its beginning. */
interface Blob {
  readonly base64: string;
  readonly size: number;
}

/** Undefined if the value is not a BLOB. A column of the type BLOB may have texts as well. */
export function blobOf(value: ShownValue, type: string): Blob | undefined {
  if (value.kind !== 'text' || !isBlobType(type)) return undefined;
  const { text, length = text.length } = value;
  if (!isBase64(text, length)) return undefined;
  // The end of a cut text is not known. The BLOB may be two bytes shorter, which no rounded size shows.
  const base64 = text.slice(0, text.length - (text.length % 4));
  return { base64, size: byteLength(length, length === text.length ? text : '') };
}

export const blobLiteral = ({ base64 }: Blob): string => `x'${hexOf(decodeBase64(base64), '')}'`;

const shownBytes = 12;

/** The size and the first bytes, such as `7 B 00 11 FF…`. */
export function blobText({ base64, size }: Blob): string {
  const shown = hexOf(decodeBase64(base64, shownBytes), ' ').toUpperCase();
  return [sizeText(size), size > shownBytes ? `${shown}…` : shown].join(' ').trimEnd();
}

const hexOf = (bytes: Uint8Array, separator: string): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(separator);

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
/** Up to here, a size is shown in bytes. A cut text, whose size is rounded, is longer. */
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

const wholeBase64 = /^[A-Za-z0-9+/]*={0,2}$/;
const base64Beginning = /^[A-Za-z0-9+/]*$/;
/** A longer text is checked only up to here. */
const maxCheckedLength = 2_000_000;

/** `length` is that of the whole text. */
export function isBase64(text: string, length: number): boolean {
  if (length % 4 !== 0) return false;
  if (text.length <= maxCheckedLength) return wholeBase64.test(text);
  return base64Beginning.test(text.slice(0, maxCheckedLength));
}

/** The size of a BLOB by the length of its base64 and its last characters. */
export function byteLength(length: number, end: string): number {
  const padding = end.endsWith('==') ? 2 : end.endsWith('=') ? 1 : 0;
  return (length / 4) * 3 - padding;
}

export function decodeBase64(base64: string, maxBytes = Infinity): Uint8Array<ArrayBuffer> {
  const part = base64.slice(0, Math.ceil(maxBytes / 3) * 4);
  const binary = atob(part);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.subarray(0, maxBytes);
}

/** Lines as in a hex viewer: the offset, the bytes, and the readable characters. */
export function hexDump(bytes: Uint8Array, bytesPerLine: number): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += bytesPerLine) {
    const line = bytes.subarray(start, start + bytesPerLine);
    const readable = Array.from(line, byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${start.toString(16).padStart(4, '0')}  ${hexOf(line, ' ').padEnd(bytesPerLine * 3 - 1)}  ${readable}`);
  }
  return lines.join('\n');
}

/** Undefined if the bytes are not UTF-8. The last character may be cut. */
export function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
