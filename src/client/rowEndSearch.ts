/** Bytes that may follow the quote that closes a string. */
const afterString: ReadonlySet<number> = new Set(Buffer.from(' \t\n\r,:]}'));

/**
 * Finds most row ends with the engine's string search, which is several times faster than a look at every byte.
 *
 * It answers only if it is sure. A row ends at `},{"` if the byte after that cannot follow a string: inside of a string, its
 * quote would end the string, and that byte would break the JSON. And no `[` may stand before it in the row, so that it
 * cannot separate elements of an inner array. Otherwise a `NestingScanner` has to look at every byte.
 */
export class RowEndSearch {
  /** A character for each byte. Searching it is as fast as searching bytes, and it is garbage-collected sooner. */
  readonly #text: string;
  #nextBracket = -1;

  constructor(bytes: Uint8Array) {
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  }

  /** The index just past the row whose inside begins at `from`, or -1 if that is not certain. */
  pastRow(from: number): number {
    const text = this.#text;
    const close = text.indexOf('}', from);
    if (close === -1 || close + 4 >= text.length || !text.startsWith(',{"', close + 1)) return -1;
    if (afterString.has(text.charCodeAt(close + 4))) return -1;
    if (this.#nextBracket < from) {
      const bracket = text.indexOf('[', from);
      this.#nextBracket = bracket === -1 ? text.length : bracket;
    }
    return close < this.#nextBracket ? close + 1 : -1;
  }
}
