import { beyondAscii, kindOf, shownText, spelledOtherwise } from './cell.ts';

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/**
 * Tells which cells hold a text. The engine searches a whole block at once, and a cell only has to see whether a place
 * that was found lies in it. Where the bytes are not the text, the text is made. Without `matchCase` a text of ASCII
 * disregards the case of ASCII alone, as SQLite's LIKE does; any other disregards it altogether.
 */
export class TextMatcher {
  readonly #needle: string;
  readonly #matchCase: boolean;
  /** The needle as the block's bytes would have it, a byte a character; undefined when each cell has to be decoded. */
  readonly #inBytes: string | undefined;
  #bytes: Buffer | undefined;
  #block = '';
  #found = 0;
  #searchedFrom = 0;

  constructor(text: string, matchCase: boolean) {
    this.#matchCase = matchCase;
    this.#needle = matchCase ? text : text.toLowerCase();
    if (isAscii(this.#needle)) this.#inBytes = this.#needle;
    else if (matchCase) this.#inBytes = Buffer.from(text).toString('latin1');
  }

  /** Has to be called with the bytes that the next cells stand in. */
  begin(bytes: Buffer, length: number): void {
    this.#bytes = bytes;
    if (this.#inBytes === undefined) return;
    const block = bytes.toString('latin1', 0, length);
    this.#block = this.#matchCase ? block : block.toLowerCase();
    this.#found = this.#place(0);
  }

  /** Cells that are asked in the order in which they stand share a search. */
  matches(from: number, to: number, flags: number): boolean {
    const bytes = this.#bytes!;
    const kind = kindOf(bytes, from);
    if (kind === 'null') return false;
    if (flags & spelledOtherwise) return this.#isIn(shownText(bytes, from, to, flags) ?? '');
    if (this.#inBytes === undefined) {
      return (flags & beyondAscii) !== 0 && this.#isIn(shownText(bytes, from, to, flags) ?? '');
    }
    const inside = kind === 'text' ? 1 : 0;
    const first = from + inside;
    // Who goes back, as columns in another order do, searches anew.
    if (this.#found < first || this.#searchedFrom > first) this.#found = this.#place(first);
    return this.#found + this.#inBytes.length <= to - inside;
  }

  #place(from: number): number {
    this.#searchedFrom = from;
    const at = this.#block.indexOf(this.#inBytes!, from);
    return at === -1 ? Infinity : at;
  }

  #isIn(text: string): boolean {
    return (this.#matchCase ? text : text.toLowerCase()).includes(this.#needle);
  }
}
