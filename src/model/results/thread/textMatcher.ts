import { beyondAscii, kindOf, shownText, differentSpelling } from './cell.ts';

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

export type MatchPlace = 'anywhere' | 'start' | 'end';

/** In a longer cell, the engine's own search is faster. */
const longCellBytes = 100;

/**
 * Tests whether cells contain a text. Few cells are decoded: those with escapes, or beyond ASCII. Without `matchCase`, an ASCII
 * text ignores the case of ASCII letters only, as LIKE does in SQLite. Any other text ignores the case of all letters.
 */
export class TextMatcher {
  /** The text as bytes, one character for each. Undefined if cells beyond ASCII must be decoded to compare them. */
  protected readonly byteText: string | undefined;
  readonly #text: string;
  readonly #matchCase: boolean;
  readonly #place: MatchPlace;
  readonly #expectedBytes: Uint8Array;
  /** Each byte with its case ignored, if case is ignored. */
  readonly #folded: Uint8Array;

  constructor(text: string, matchCase: boolean, place: MatchPlace = 'anywhere') {
    this.#matchCase = matchCase;
    this.#place = place;
    this.#text = matchCase ? text : text.toLowerCase();
    if (isAscii(this.#text)) this.byteText = this.#text;
    else if (matchCase) this.byteText = Buffer.from(text).toString('latin1');
    this.#expectedBytes = Buffer.from(this.byteText ?? '', 'latin1');
    this.#folded = Uint8Array.from({ length: 256 }, (_, byte) => (matchCase ? byte : lowerCase(byte)));
  }

  matches(bytes: Buffer, from: number, to: number, flags: number): boolean {
    const kind = kindOf(bytes, from);
    if (kind === 'null') return false;
    if (flags & differentSpelling) return this.#isIn(shownText(bytes, from, to, flags) ?? '');
    if (this.byteText === undefined) {
      return (flags & beyondAscii) !== 0 && this.#isIn(shownText(bytes, from, to, flags) ?? '');
    }
    const quoteBytes = kind === 'text' ? 1 : 0;
    return this.isBetween(bytes, from + quoteBytes, to - quoteBytes);
  }

  protected isBetween(bytes: Buffer, from: number, to: number): boolean {
    const last = to - this.#expectedBytes.length;
    if (this.#place === 'start') return from <= last && this.#isAt(bytes, from);
    if (this.#place === 'end') return from <= last && this.#isAt(bytes, last);
    if (to - from > longCellBytes) return this.textOf(bytes, from, to).includes(this.byteText!);
    for (let first = from; first <= last; first++) if (this.#isAt(bytes, first)) return true;
    return false;
  }

  #isAt(bytes: Buffer, first: number): boolean {
    const expected = this.#expectedBytes;
    const folded = this.#folded;
    let same = 0;
    while (same < expected.length && folded[bytes[first + same]!] === expected[same]) same++;
    return same === expected.length;
  }

  protected textOf(bytes: Buffer, from: number, to: number): string {
    const text = bytes.toString('latin1', from, to);
    return this.#matchCase ? text : text.toLowerCase();
  }

  #isIn(text: string): boolean {
    const cell = this.#matchCase ? text : text.toLowerCase();
    switch (this.#place) {
      case 'anywhere':
        return cell.includes(this.#text);
      case 'start':
        return cell.startsWith(this.#text);
      case 'end':
        return cell.endsWith(this.#text);
    }
  }
}

const lowerCase = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);
