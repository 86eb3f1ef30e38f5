const wordBytes = 4;

/** Bytes that are expected in many places, such as a key in each row. They are compared four at a time. */
export class BytePattern {
  readonly length: number;
  readonly #bytes: Uint8Array;
  /** The last word ends where the bytes end, so it may overlap the one before. */
  readonly #words: Int32Array;

  constructor(bytes: Uint8Array) {
    // Copy them: other rows will be read into the same buffer.
    this.#bytes = new Uint8Array(bytes);
    this.length = bytes.length;
    const view = viewOf(this.#bytes);
    const wordCount = bytes.length < wordBytes ? 0 : Math.ceil(bytes.length / wordBytes);
    this.#words = Int32Array.from({ length: wordCount }, (_, nth) => {
      return view.getInt32(Math.min(nth * wordBytes, this.length - wordBytes), true);
    });
  }

  isAt(view: DataView, from: number): boolean {
    const words = this.#words;
    const last = words.length - 1;
    const end = from + this.length;
    if (end > view.byteLength) return false;
    if (last === -1) return this.#bytes.every((byte, at) => view.getUint8(from + at) === byte);
    for (let nth = 0; nth < last; nth++) if (view.getInt32(from + nth * wordBytes, true) !== words[nth]) return false;
    return view.getInt32(end - wordBytes, true) === words[last];
  }
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
