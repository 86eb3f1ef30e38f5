import { setImmediate as nextTurn } from 'node:timers/promises';
import { asString, parseJson } from '../base/decode.ts';
import {
  backslash,
  closeBrace,
  closingQuote,
  colon,
  comma,
  NestingScanner,
  openBrace,
  openBracket,
  pastBlanks,
  pastEscape,
  pastWord,
  quote,
} from '../base/jsonBytes.ts';
import type { Column } from '../wire/values.ts';
import { utf8Text } from './decodeRows.ts';
import type { RowBatch } from './rowBatcher.ts';

/** Other work of the process gets a turn after this number of bytes of a row. */
const turnBytes = 1 << 18;

/** The keys of the first row in the order of its text. A decoded object lists keys that look like integers first. */
export async function columnsOfFirstRow({ bytes }: RowBatch): Promise<Column[] | undefined> {
  const names = new Set<string>();
  const walk = new ValueWalk(bytes);
  let at = pastBlanks(bytes, 1);
  while (bytes[at] !== closeBrace) {
    if (bytes[at] !== quote) return undefined;
    const pastKey = await walk.pastValue(at);
    const name = await nameOf(bytes.subarray(at, pastKey));
    if (name === undefined) return undefined;
    names.add(name);
    at = pastBlanks(bytes, pastKey);
    if (bytes[at] !== colon) return undefined;
    at = pastBlanks(bytes, await walk.pastValue(pastBlanks(bytes, at + 1)));
    if (bytes[at] === comma) at = pastBlanks(bytes, at + 1);
  }
  return Array.from(names, name => ({ name, type: '' }));
}

/** The name that a key spells, in turns if it is long. Undefined if the key is not valid JSON. */
async function nameOf(key: Uint8Array): Promise<string | undefined> {
  const end = key.length - 1;
  let name = '';
  for (let from = 1; from < end;) {
    if (from > 1) await nextTurn();
    const to = from + turnBytes < end ? characterStart(key, from + turnBytes) : end;
    const part = unescaped(utf8Text(key.subarray(from, to)));
    if (part === undefined) return undefined;
    name += part;
    from = to;
  }
  return name;
}

/** Most keys have no escape. Decoding one as JSON is several times slower. */
const unescaped = (text: string): string | undefined => (text.includes('\\') ? asString(parseJson(`"${text}"`)) : text);

/** The longest escape, such as `\u002f`, without its last byte. */
const longestCut = 5;

/** The index where the character at `at` begins, or the escape that spells it. */
function characterStart(key: Uint8Array, at: number): number {
  let start = at;
  while ((key[start]! & 0xc0) === 0x80) start--;
  for (let slash = start - 1; slash >= start - longestCut; slash--) {
    if (key[slash] !== backslash) continue;
    let first = slash;
    while (key[first - 1] === backslash) first--;
    // An escaped backslash begins no escape.
    if ((slash - first) % 2 === 1) return start;
    return pastEscape(key, slash + 1) > start ? slash : start;
  }
  return start;
}

/** Walks from value to value of a row. A row may be large, so each turn of the event loop sees only a piece of it. */
class ValueWalk {
  readonly #bytes: Uint8Array;
  /** The row up to where this turn ends. */
  #piece: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#piece = bytes.subarray(0, turnBytes);
  }

  /** The index just past the value that begins at `from`, or the end of the row if the value is cut off. */
  async pastValue(from: number): Promise<number> {
    const pastEnd = endSearch(this.#bytes[from], from);
    for (;;) {
      const past = pastEnd(this.#piece);
      if (past !== -1) return past;
      if (this.#piece.length === this.#bytes.length) return this.#bytes.length;
      await nextTurn();
      this.#piece = this.#bytes.subarray(0, this.#piece.length + turnBytes);
    }
  }
}

/**
 * Searches a row for the end of the value that begins at `from` with the byte `first`. Each piece that the search gets is a
 * longer beginning of the row. It returns the index just past the value, or -1 if that comes in a longer piece.
 */
function endSearch(first: number | undefined, from: number): (piece: Uint8Array) => number {
  let at = from;
  if (first === quote) {
    at++;
    return piece => {
      at = closingQuote(piece, at);
      return at < piece.length ? at + 1 : -1;
    };
  }
  if (first === openBrace || first === openBracket) {
    const nesting = new NestingScanner(0);
    return piece => {
      const past = nesting.pastEnd(piece, at);
      at = piece.length;
      return past;
    };
  }
  return piece => {
    at = pastWord(piece, at);
    return at < piece.length ? at : -1;
  };
}
