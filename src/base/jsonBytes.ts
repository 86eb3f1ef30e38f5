/** Finds its way through JSON as UTF-8 bytes without decoding it: for the client, the spool and the rows thread. */

export const quote = 0x22;
export const comma = 0x2c;
export const minus = 0x2d;
export const dot = 0x2e;
export const zero = 0x30;
export const nine = 0x39;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/** Longer strings are searched natively. */
const shortLength = 64;

/** `{` and `[` differ from each other in this bit only, and so do `}` and `]`. */
const braceBit = 0x20;

export interface JsonLimits {
  readonly maxDepth: number;
  /** Counts commas and opening brackets: each value comes with one of them. */
  readonly maxValues: number;
  /** Blanks next to each other, outside of strings. */
  readonly maxBlanks: number;
}

const unlimited: JsonLimits = { maxDepth: Infinity, maxValues: Infinity, maxBlanks: Infinity };

const space = 0x20;

/**
 * Tracks brackets and strings through JSON that may arrive in pieces, and stops at its limits. It checks nothing else. The loop
 * sees every byte of a result, so it works on local variables.
 */
export class NestingScanner {
  readonly #startDepth: number;
  readonly #limits: JsonLimits;
  #depth: number;
  #values = 0;
  #opened = 0;
  /** Blanks at the end of the last piece. */
  #blanks = 0;
  #inString = false;
  #escaped = false;
  #exceeded: keyof JsonLimits | undefined;

  /** With a `startDepth` of 1 the scan begins just inside of a bracket. */
  constructor(startDepth: 0 | 1, limits = unlimited) {
    this.#startDepth = startDepth;
    this.#depth = startDepth;
    this.#limits = limits;
  }

  /** How many arrays and objects all scanned texts together hold. */
  get openedCount(): number {
    return this.#opened;
  }

  /** The limit that the bytes exceed. Once it is set, the scanner must not be used. */
  get exceeded(): keyof JsonLimits | undefined {
    return this.#exceeded;
  }

  /**
   * The index just past the end of the outermost value, or just past an opening bracket that leads to `stopDepth`. -1 if that
   * comes in a later piece, or a limit is exceeded.
   */
  pastEnd(bytes: Uint8Array, from: number, stopDepth = -1): number {
    const end = bytes.length;
    if (from >= end) return -1;
    const { maxDepth, maxValues, maxBlanks } = this.#limits;
    let depth = this.#depth;
    let values = this.#values;
    let blanks = 0;
    let inString = this.#inString;
    let past = -1;
    let at = this.#escaped ? from + 1 : from;
    while (at < end) {
      if (inString) {
        at = closingQuote(bytes, at);
        if (at >= end) break;
        at++;
        inString = false;
      } else {
        const byte = bytes[at++]!;
        // Most bytes outside of strings are digits.
        if (byte >= minus && byte <= colon) continue;
        if (byte === quote) inString = true;
        else if (byte === comma) values++;
        else if ((byte | braceBit) === openBrace) {
          values++;
          this.#opened++;
          if (++depth > maxDepth) break;
          if (depth !== stopDepth) continue;
          past = at;
          break;
        } else if ((byte | braceBit) === closeBrace) {
          if (--depth !== 0) continue;
          past = at;
          break;
        } else if (byte <= space) {
          const first = at - 1;
          while (at < end && bytes[at]! <= space) at++;
          const run = at - first + (first === from ? this.#blanks : 0);
          if (at === end || run > maxBlanks) blanks = run;
          if (run > maxBlanks) break;
        }
      }
    }
    if (depth > maxDepth) this.#exceeded = 'maxDepth';
    else if (values > maxValues) this.#exceeded = 'maxValues';
    else if (blanks > maxBlanks) this.#exceeded = 'maxBlanks';
    const isEnd = past !== -1 && depth === 0;
    this.#depth = isEnd ? this.#startDepth : depth;
    this.#values = isEnd ? 0 : values;
    this.#blanks = blanks;
    this.#inString = inString;
    this.#escaped = at > end;
    return this.#exceeded === undefined ? past : -1;
  }
}

/** The index just past the object or array that begins at `from`, or the end of the bytes if it is cut off. */
export function pastNested(bytes: Uint8Array, from: number): number {
  const end = new NestingScanner(0).pastEnd(bytes, from);
  return end === -1 ? bytes.length : end;
}

/**
 * The index of the quote that closes a string. `from` is inside of the string, and not after a backslash. For a string that is cut
 * off, the result is past the end of the bytes, where the search may continue in a longer piece.
 */
function closingQuote(bytes: Uint8Array, from: number): number {
  const end = bytes.length;
  let at = from;
  while (at < end) {
    const shortEnd = at + shortLength < end ? at + shortLength : end;
    while (at < shortEnd) {
      const byte = bytes[at]!;
      if (byte === quote) return at;
      at += byte === backslash ? 2 : 1;
    }
    if (at >= end) break;
    // A native search is many times faster in a long string, and slower in a short one.
    const found = bytes.indexOf(quote, at);
    const stop = found === -1 ? end : found;
    let backslashes = 0;
    while (stop - backslashes > at && bytes[stop - backslashes - 1] === backslash) backslashes++;
    if (backslashes % 2 === 0) return stop;
    at = stop + 1;
  }
  return at;
}

export function* objectsIn(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = bytes.indexOf(openBrace); start !== -1;) {
    const end = pastNested(bytes, start);
    yield bytes.subarray(start, end);
    start = bytes.indexOf(openBrace, end);
  }
}

/** Space, tab, line feed and carriage return. */
export const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

export function pastBlankBytes(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at]! <= 0x20 && isBlank(bytes[at]!)) at++;
  return at;
}

const shortEscapes: ReadonlySet<number> = new Set(Array.from(String.raw`"\/bfnrt`, char => char.charCodeAt(0)));
const letterU = 0x75;

/** The index just past an escape whose backslash is before `from`, or -1 if it is not an escape. */
export function pastEscape(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== letterU) return shortEscapes.has(bytes[from]!) ? from + 1 : -1;
  for (let at = from + 1; at < from + 5; at++) if (!isHexDigit(bytes[at]!)) return -1;
  return from + 5;
}

const isHexDigit = (byte: number): boolean =>
  (byte >= zero && byte <= nine) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

export function isAt(bytes: Uint8Array, from: number, expected: Uint8Array): boolean {
  for (let at = 0; at < expected.length; at++) if (bytes[from + at] !== expected[at]) return false;
  return true;
}
