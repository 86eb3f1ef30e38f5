import { TextMatcher } from './textMatcher.ts';

/**
 * Searches a block of rows at once. A cell matches if it contains the next match. Only cells that must be decoded are tested
 * alone.
 */
export class BlockMatcher extends TextMatcher {
  #block = '';
  #foundAt = 0;
  #searchedFrom = 0;

  /** Sets the bytes of the next cells. */
  setBlock(bytes: Buffer, length: number): void {
    if (this.byteText === undefined) return;
    this.#block = this.textOf(bytes, 0, length);
    this.#foundAt = this.#search(0);
  }

  /** Cells in ascending order share a search. */
  protected override isBetween(_bytes: Buffer, from: number, to: number): boolean {
    // Going back, as with columns in another order, starts a new search.
    if (this.#foundAt < from || this.#searchedFrom > from) this.#foundAt = this.#search(from);
    return this.#foundAt + this.byteText!.length <= to;
  }

  #search(from: number): number {
    this.#searchedFrom = from;
    const at = this.#block.indexOf(this.byteText!, from);
    return at === -1 ? Infinity : at;
  }
}
