const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;

/**
 * Where each row of a block begins and ends, by nothing but depth and quotes. That was checked when the rows came, so
 * that a row which is broken within is found as well as any other.
 */
export function* rowsIn(bytes: Uint8Array): Generator<readonly [start: number, end: number]> {
  for (let start = bytes.indexOf(openBrace); start !== -1;) {
    const end = endOfRow(bytes, start);
    yield [start, end];
    start = bytes.indexOf(openBrace, end);
  }
}

/** The index just past the row that begins at `start`. Brackets are told by one bit: `{[` and `}]` differ in 0x20 only. */
export function endOfRow(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length;) {
    const byte = bytes[at++]!;
    if (byte === quote) at = endOfString(bytes, at);
    else if ((byte | 0x20) === 0x7b) depth++;
    else if ((byte | 0x20) === 0x7d && --depth === 0) return at;
  }
  return bytes.length;
}

/** The index just past the quote that ends a string whose inside begins at `from`. */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte === backslash) at++;
  }
  return bytes.length;
}
