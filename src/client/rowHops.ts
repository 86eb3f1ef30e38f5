/** Bytes that may follow the quote that closes a string. */
const afterString: ReadonlySet<number> = new Set(Buffer.from(' \t\n\r,:]}'));

/**
 * Hops from row end to row end with the engine's own search, several times faster than a look at every byte. It answers
 * only where it is sure, which is at `},{"` and a byte that cannot follow a string: if that stood within a string, its
 * quote would end the string and the byte would break the JSON. What looks so and has no `[` before it in its row, and
 * so is no element of an inner array, ends a row.
 */
export class RowHops {
  /** Each byte as a character. A search in it costs no more than one in bytes, and as garbage it is collected sooner. */
  readonly #text: string;
  #bracket = -1;

  constructor(chunk: Uint8Array) {
    this.#text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
  }

  /** The index just past the row whose inside begins at `from`, or -1 when it takes a look at every byte to say. */
  endOf(from: number): number {
    const text = this.#text;
    const close = text.indexOf('}', from);
    if (close === -1 || close + 4 >= text.length || !text.startsWith(',{"', close + 1)) return -1;
    if (afterString.has(text.charCodeAt(close + 4))) return -1;
    if (this.#bracket < from) {
      const bracket = text.indexOf('[', from);
      this.#bracket = bracket === -1 ? text.length : bracket;
    }
    return close < this.#bracket ? close + 1 : -1;
  }
}
