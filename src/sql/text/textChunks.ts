const chunkLength = 65_536;

/** A text in chunks. An edit copies one chunk instead of ten megabytes. */
export class TextChunks {
  #chunks: string[];
  #length: number;

  constructor(text: string) {
    this.#chunks = splitIntoChunks(text);
    this.#length = text.length;
  }

  get length(): number {
    return this.#length;
  }

  toString(): string {
    return this.#chunks.join('');
  }

  slice(start: number, end: number): string {
    let result = '';
    let offset = 0;
    for (const chunk of this.#chunks) {
      if (offset >= end) break;
      if (offset + chunk.length > start) result += chunk.slice(Math.max(0, start - offset), end - offset);
      offset += chunk.length;
    }
    return result;
  }

  replace(start: number, end: number, text: string): void {
    const first = this.#chunkAt(start);
    const last = this.#chunkAt(end);
    const head = (this.#chunks[first.index] ?? '').slice(0, start - first.offset);
    const tail = (this.#chunks[last.index] ?? '').slice(end - last.offset);
    this.#chunks = [
      ...this.#chunks.slice(0, first.index),
      ...splitIntoChunks(head + text + tail),
      ...this.#chunks.slice(last.index + 1),
    ];
    this.#length += text.length - (end - start);
  }

  /** The chunk that contains a position. The end of the text belongs to the last chunk. */
  #chunkAt(position: number): { readonly index: number; readonly offset: number } {
    let offset = 0;
    for (const [index, chunk] of this.#chunks.entries()) {
      if (position < offset + chunk.length || index === this.#chunks.length - 1) return { index, offset };
      offset += chunk.length;
    }
    return { index: 0, offset: 0 };
  }
}

function splitIntoChunks(text: string): string[] {
  if (text.length <= 2 * chunkLength) return text === '' ? [] : [text];
  const count = Math.ceil(text.length / chunkLength);
  return Array.from({ length: count }, (_, index) => text.slice(index * chunkLength, (index + 1) * chunkLength));
}
