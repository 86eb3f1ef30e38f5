const chunkLength = 65_536;

/** A text in chunks. An edit copies one chunk instead of ten megabytes, and makes another text that shares the others. */
export class TextChunks {
  readonly #chunks: readonly string[];
  /** Where each chunk starts. */
  readonly #starts: readonly number[];
  readonly length: number;

  private constructor(chunks: readonly string[]) {
    this.#chunks = chunks;
    let length = 0;
    this.#starts = chunks.map(chunk => (length += chunk.length) - chunk.length);
    this.length = length;
  }

  static of(text: string): TextChunks {
    return new TextChunks(splitIntoChunks(text));
  }

  toString(): string {
    return this.#chunks.join('');
  }

  slice(start: number, end: number): string {
    let result = '';
    for (let index = this.#chunkAt(start); index < this.#chunks.length && this.#starts[index]! < end; index++) {
      const offset = this.#starts[index]!;
      result += this.#chunks[index]!.slice(Math.max(0, start - offset), end - offset);
    }
    return result;
  }

  replaced(start: number, end: number, text: string): TextChunks {
    const first = this.#chunkAt(start);
    const last = this.#chunkAt(end);
    const head = (this.#chunks[first] ?? '').slice(0, start - (this.#starts[first] ?? 0));
    const tail = (this.#chunks[last] ?? '').slice(end - (this.#starts[last] ?? 0));
    return new TextChunks([
      ...this.#chunks.slice(0, first),
      ...splitIntoChunks(head + text + tail),
      ...this.#chunks.slice(last + 1),
    ]);
  }

  /** The number of the chunk that contains a position. The end of the text belongs to the last chunk. */
  #chunkAt(position: number): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#starts[middle]! <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function splitIntoChunks(text: string): string[] {
  if (text.length <= 2 * chunkLength) return text === '' ? [] : [text];
  const count = Math.ceil(text.length / chunkLength);
  return Array.from({ length: count }, (_, index) => text.slice(index * chunkLength, (index + 1) * chunkLength));
}
