import { isUtf8 } from 'node:buffer';
import { misuse } from '../../base/errors.ts';
import type { TextEncoding } from './importOptions.ts';

/** Invalid bytes become characters from this code on: halves of surrogate pairs, which no valid text has alone. */
const invalidByteBase = 0xdc00;
/** The characters that bytes 0x80 to 0x9f stand for in Windows-1252. Five of them are unused and stay control characters. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const replaced1252 = /[\x80-\x9f]/g;

const byteOrderMarks: Readonly<Record<TextEncoding, readonly number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
  'windows-1252': [],
};

export function bomLength(bytes: Uint8Array, encoding: TextEncoding): number {
  const mark = byteOrderMarks[encoding];
  return mark.every((byte, at) => bytes[at] === byte) ? mark.length : 0;
}

/** Decodes a file piece by piece. Each invalid byte becomes a character, so `byteLengthOf` finds the bytes of every part. */
export class TextPieces {
  readonly #encoding: TextEncoding;
  #pendingBytes: Uint8Array = new Uint8Array(0);

  constructor(encoding: TextEncoding) {
    this.#encoding = encoding;
  }

  /** The text of the next bytes. A character that is cut off comes with the next piece. */
  decode(piece: Uint8Array): string {
    const bytes = this.#pendingBytes.length === 0 ? piece : Buffer.concat([this.#pendingBytes, piece]);
    const end = bytes.length - cutOffLength(bytes, this.#encoding);
    this.#pendingBytes = Uint8Array.from(bytes.subarray(end));
    return textOf(bytes.subarray(0, end), this.#encoding);
  }

  /** The text of a character that the end of the file cuts off. */
  end(): string {
    const rest = this.#pendingBytes;
    this.#pendingBytes = new Uint8Array(0);
    return this.#encoding.startsWith('utf-16') && rest.length > 0 ? refuseHalf() : textOf(rest, this.#encoding);
  }
}

function refuseHalf(): never {
  throw misuse('odd_length', 'The file has an odd number of bytes, so it is not UTF-16. Choose another encoding.');
}

/** The bytes at the end that belong to a character which is not complete. */
function cutOffLength(bytes: Uint8Array, encoding: TextEncoding): number {
  if (encoding === 'windows-1252') return 0;
  if (encoding !== 'utf-8') return bytes.length % 2;
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = sequenceLength(byte);
    return length > back ? back : 0;
  }
  return 0;
}

function textOf(bytes: Uint8Array, encoding: TextEncoding): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  switch (encoding) {
    case 'utf-8':
      return isUtf8(buffer) ? buffer.toString('utf8') : textOfBroken(buffer);
    case 'utf-16le':
      return buffer.toString('utf16le');
    case 'utf-16be':
      return Buffer.from(buffer).swap16().toString('utf16le');
    case 'windows-1252':
      return buffer.toString('latin1').replaceAll(replaced1252, found => windows1252[found.charCodeAt(0) - 0x80]!);
  }
}

/** Decodes UTF-8 with invalid bytes. Each of them becomes half of a surrogate pair, so that only its row is refused. */
function textOfBroken(bytes: Buffer): string {
  let text = '';
  let validFrom = 0;
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes[at]!);
    if (length === 1 || (length > 1 && isUtf8(bytes.subarray(at, at + length)))) {
      at += length;
      continue;
    }
    text += bytes.toString('utf8', validFrom, at) + String.fromCharCode(invalidByteBase + bytes[at]!);
    validFrom = ++at;
  }
  return text + bytes.toString('utf8', validFrom);
}

/** The bytes of the character that a byte of UTF-8 begins; 0 if it begins none. */
function sequenceLength(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xc0) return 0;
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

export function byteLengthOf(text: string, encoding: TextEncoding): number {
  if (encoding === 'windows-1252') return text.length;
  if (encoding !== 'utf-8') return 2 * text.length;
  // Each half stands for one byte, and Node.js counts three.
  const halves = text.isWellFormed() ? 0 : text.match(loneHalf)!.length;
  return Buffer.byteLength(text) - 2 * halves;
}

const loneHalf = /(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The text of a row, for people: invalid bytes become question marks. */
export const readableText = (text: string): string => text.toWellFormed();
