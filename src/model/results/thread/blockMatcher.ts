import { TextMatcher } from './textMatcher.ts';

/**
 * For whoever asks about most cells of a block: the engine searches all of it at once, and a cell only has to see whether a
 * place that was found lies in it.
 */
export class BlockMatcher extends TextMatcher {
  #block = '';
  #found = 0;
  #searchedFrom = 0;

  /** Has to be called with the bytes that the next cells stand in. */
  begin(bytes: Buffer, length: number): void {
    if (this.inBytes === undefined) return;
    this.#block = this.textOf(bytes, 0, length);
    this.#found = this.#place(0);
  }

  /** Cells that are asked for in the order in which they stand share a search. */
  protected override isBetween(_bytes: Buffer, from: number, to: number): boolean {
    // Who goes back, as columns in another order do, searches anew.
    if (this.#found < from || this.#searchedFrom > from) this.#found = this.#place(from);
    return this.#found + this.inBytes!.length <= to;
  }

  #place(from: number): number {
    this.#searchedFrom = from;
    const at = this.#block.indexOf(this.inBytes!, from);
    return at === -1 ? Infinity : at;
  }
}
