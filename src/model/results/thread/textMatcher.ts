import { beyondAscii, kindOf, shownText, differentSpelling } from './cell.ts';

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** In a longer cell, the engine's own search is faster. */
const longCellBytes = 100;

/**
 * Tests whether cells contain a text. A cell is decoded only if its bytes are not its text. Without `matchCase`, an ASCII text
 * ignores the case of ASCII letters only, as LIKE does in SQLite. Any other text ignores the case of all letters.
 */
export class TextMatcher {
  /** The text as bytes, one character for each. Undefined if every cell must be decoded. */
  protected readonly byteText: string | undefined;
  readonly #text: string;
  readonly #matchCase: boolean;
  readonly #expected: Uint8Array;
  /** Each byte with its case ignored, if case is ignored. */
  readonly #folded: Uint8Array;

  constructor(text: string, matchCase: boolean) {
    this.#matchCase = matchCase;
    this.#text = matchCase ? text : text.toLowerCase();
    if (isAscii(this.#text)) this.byteText = this.#text;
    else if (matchCase) this.byteText = Buffer.from(text).toString('latin1');
    this.#expected = Buffer.from(this.byteText ?? '', 'latin1');
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
    if (to - from > longCellBytes) return this.textOf(bytes, from, to).includes(this.byteText!);
    const expected = this.#expected;
    const folded = this.#folded;
    for (let first = from; first <= to - expected.length; first++) {
      let same = 0;
      while (same < expected.length && folded[bytes[first + same]!] === expected[same]) same++;
      if (same === expected.length) return true;
    }
    return false;
  }

  /** The text in which `byteText` is searched. */
  protected textOf(bytes: Buffer, from: number, to: number): string {
    const text = bytes.toString('latin1', from, to);
    return this.#matchCase ? text : text.toLowerCase();
  }

  #isIn(text: string): boolean {
    return (this.#matchCase ? text : text.toLowerCase()).includes(this.#text);
  }
}

const lowerCase = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);
