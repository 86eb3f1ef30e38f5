/** Bytes that may follow the quote that closes a string. */
const afterString: ReadonlySet<number> = new Set(Buffer.from(' \t\n\r,:]}'));

/**
 * Finds most row ends with the engine's string search, which is several times faster than a look at every byte.
 *
 * Answers only when certain. A row ends at `},{"` if the next byte cannot follow a string: within a string, the quote would
 * end the string there, so that byte would be invalid JSON. No `[` may precede it in the row, because `},` could then separate
 * the elements of an array. In all other cases a `NestingScanner` reads every byte.
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
