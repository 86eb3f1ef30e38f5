import { beyondAscii, kindOf, shownText, differentSpelling } from './cell.ts';

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** A cell of more bytes is searched by the engine. */
const longCell = 100;

/**
 * Tells which cells hold a text. Where the bytes are not the text, the text is made. Without `matchCase` a text of ASCII
 * disregards the case of ASCII alone, as SQLite's LIKE does; any other disregards it altogether.
 */
export class TextMatcher {
  /** The text as the bytes would have it, a byte a character; undefined when each cell has to be decoded. */
  protected readonly inBytes: string | undefined;
  readonly #text: string;
  readonly #matchCase: boolean;
  readonly #wanted: Uint8Array;
  /** What each byte counts as. */
  readonly #folded: Uint8Array;

  constructor(text: string, matchCase: boolean) {
    this.#matchCase = matchCase;
    this.#text = matchCase ? text : text.toLowerCase();
    if (isAscii(this.#text)) this.inBytes = this.#text;
    else if (matchCase) this.inBytes = Buffer.from(text).toString('latin1');
    this.#wanted = Buffer.from(this.inBytes ?? '', 'latin1');
    this.#folded = Uint8Array.from({ length: 256 }, (_, byte) => (matchCase ? byte : lowerCase(byte)));
  }

  matches(bytes: Buffer, from: number, to: number, flags: number): boolean {
    const kind = kindOf(bytes, from);
    if (kind === 'null') return false;
    if (flags & differentSpelling) return this.#isIn(shownText(bytes, from, to, flags) ?? '');
    if (this.inBytes === undefined) {
      return (flags & beyondAscii) !== 0 && this.#isIn(shownText(bytes, from, to, flags) ?? '');
    }
    const inside = kind === 'text' ? 1 : 0;
    return this.isBetween(bytes, from + inside, to - inside);
  }

  protected isBetween(bytes: Buffer, from: number, to: number): boolean {
    if (to - from > longCell) return this.textOf(bytes, from, to).includes(this.inBytes!);
    const [wanted, folded] = [this.#wanted, this.#folded];
    for (let first = from; first <= to - wanted.length; first++) {
      let same = 0;
      while (same < wanted.length && folded[bytes[first + same]!] === wanted[same]) same++;
      if (same === wanted.length) return true;
    }
    return false;
  }

  /** What is searched for `inBytes`. */
  protected textOf(bytes: Buffer, from: number, to: number): string {
    const text = bytes.toString('latin1', from, to);
    return this.#matchCase ? text : text.toLowerCase();
  }

  #isIn(text: string): boolean {
    return (this.#matchCase ? text : text.toLowerCase()).includes(this.#text);
  }
}

const lowerCase = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);
