const quote = 0x22;
const backslash = 0x5c;

/**
 * Finds where a row ends, by nothing but depth and quotes; the row may come in pieces. This loop sees every byte of a
 * result, which is why it works on locals and why brackets are told by one bit: `{[` and `}]` differ in 0x20 only.
 */
export class RowEnd {
  #depth = 1;
  #inString = false;
  #escaped = false;

  /** `from` is just past the row's `{`, or the next piece's start. Gives the index just past its `}`, or -1. */
  find(bytes: Uint8Array, from: number): number {
    const end = bytes.length;
    let depth = this.#depth;
    let inString = this.#inString;
    let at = this.#escaped ? from + 1 : from;
    while (at < end) {
      if (inString) {
        let byte = bytes[at++]!;
        while (byte !== quote && at < end) {
          if (byte === backslash) at++;
          byte = at < end ? bytes[at++]! : 0;
        }
        if (byte !== quote) {
          if (byte === backslash) at++;
          break;
        }
        inString = false;
      } else {
        const byte = bytes[at++]!;
        if (byte === quote) inString = true;
        else if ((byte | 0x20) === 0x7b) depth++;
        else if ((byte | 0x20) === 0x7d && --depth === 0) {
          this.#depth = 1;
          this.#inString = false;
          this.#escaped = false;
          return at;
        }
      }
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = at > end;
    return -1;
  }
}

const openBrace = 0x7b;

/** The rows of a frame, one by one. In a broken frame the last one may be no whole row. */
export function* splitRows(bytes: Uint8Array): Generator<Uint8Array> {
  const row = new RowEnd();
  for (let at = bytes.indexOf(openBrace); at !== -1; at = bytes.indexOf(openBrace, at)) {
    const end = row.find(bytes, at + 1);
    yield bytes.subarray(at, end === -1 ? bytes.length : end);
    if (end === -1) return;
    at = end;
  }
}
