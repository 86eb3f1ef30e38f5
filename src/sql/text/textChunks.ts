const chunkLength = 65_536;

/** A text in pieces, so that an edit copies one piece and not ten megabytes. */
export class TextChunks {
  #chunks: string[];
  #length: number;

  constructor(text: string) {
    this.#chunks = inChunks(text);
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
    const [first, firstOffset] = this.#find(start);
    const [last, lastOffset] = this.#find(end);
    const head = (this.#chunks[first] ?? '').slice(0, start - firstOffset);
    const tail = (this.#chunks[last] ?? '').slice(end - lastOffset);
    this.#chunks.splice(first, last - first + 1);
    this.#chunks = [...this.#chunks.slice(0, first), ...inChunks(head + text + tail), ...this.#chunks.slice(first)];
    this.#length += text.length - (end - start);
  }

  /** The chunk that holds `at`, the last one for the end of the text, and where that chunk begins. */
  #find(at: number): [chunk: number, offset: number] {
    let offset = 0;
    for (const [number, chunk] of this.#chunks.entries()) {
      if (at < offset + chunk.length || number === this.#chunks.length - 1) return [number, offset];
      offset += chunk.length;
    }
    return [0, 0];
  }
}

function inChunks(text: string): string[] {
  if (text.length <= 2 * chunkLength) return text === '' ? [] : [text];
  const count = Math.ceil(text.length / chunkLength);
  return Array.from({ length: count }, (_, index) => text.slice(index * chunkLength, (index + 1) * chunkLength));
}
