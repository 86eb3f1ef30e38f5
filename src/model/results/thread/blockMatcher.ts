import { TextMatcher } from './textMatcher.ts';

/** Tests most cells of a block: the engine searches the whole block at once, and a cell matches if it contains the match. */
export class BlockMatcher extends TextMatcher {
  #block = '';
  #foundAt = 0;
  #searchedFrom = 0;

  /** Call this with the bytes of the next cells. */
  begin(bytes: Buffer, length: number): void {
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
