import {
  backslash,
  closeBrace,
  comma,
  nine,
  openBrace,
  openBracket,
  pastBlankBytes,
  pastEscape,
  pastNested,
  quote,
  zero,
  colon,
} from '../../../base/jsonBytes.ts';
import { beyondAscii, blobColumn, brokenRow, differentSpelling } from './cell.ts';
import { spellingOf } from './jsonNumbers.ts';

const space = 0x20;
/** No table of SQLite has more columns. More or longer keys are not remembered: they cost time, not memory. */
const maxLearnedKeys = 2000;
const maxLearnedKeyBytes = 1000;

interface KeySlot {
  /** The slot of the column, or -1 if the column was not requested. */
  readonly slot: number;
  readonly flags: number;
}

/** A key as it is written in rows, with quotes and colon. */
interface LearnedKey extends KeySlot {
  readonly pattern: BytePattern;
  /** In valid JSON, the pattern after a comma is nothing but this key: no text can end with its first quote. */
  readonly canBeFound: boolean;
}

/** Keys are looked for if there are so many others for each. */
const minOtherKeys = 3;

/**
 * Finds the places of some columns' values in a row. Each requested column has a slot.
 *
 * It sees every byte of a result, so it decodes nothing, and compares keys with those of the previous row, which are most
 * likely the same. Unlike `NestingScanner`, it checks that the row is valid JSON. Its loops over strings and numbers stand in
 * `#walk`, and not in functions as `pastScalar`: they note the spelling of a value while they look for its end.
 */
export class RowWalker {
  /** Where the value of each slot begins, or -1 if the row does not have it. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly flags: Uint8Array;
  bytes: Uint8Array = new Uint8Array(0);
  #view = viewOf(this.bytes);
  readonly #slots: ReadonlyMap<string, number>;
  readonly #firstColumnSlot: number;
  readonly #blobColumns: ReadonlySet<string>;
  #keys: LearnedKey[] = [];
  /** The rows in which keys are looked for. Undefined if each key has to be read. */
  #block: Buffer | undefined;
  /** The next array in the block. */
  #nextArray = 0;

  /** `firstColumn` is the column that shows the text of a broken row. */
  constructor(columns: readonly string[], firstColumn: string | undefined, blobColumns: ReadonlySet<string>) {
    this.#slots = new Map(columns.map((name, slot) => [name, slot]));
    this.#firstColumnSlot = columns.indexOf(firstColumn ?? '');
    this.#blobColumns = blobColumns;
    this.from = new Int32Array(columns.length);
    this.to = new Int32Array(columns.length);
    this.flags = new Uint8Array(columns.length);
  }

  /** Gives the index just past the row. There must be quotes after `end`: the loop over a string does not check for the end. */
  read(bytes: Uint8Array, start: number, end: number): number {
    if (this.bytes !== bytes) this.#setBytes(bytes);
    this.from.fill(-1);
    const known = this.#block ? this.#pastFlatRow(this.#block, start) : -1;
    let past = this.#walk(bytes, start, end, known);
    // A row may have its keys in another order.
    if (known !== -1 && (past === -1 || this.from.includes(-1))) {
      this.from.fill(-1);
      past = this.#walk(bytes, start, end);
    }
    return past === -1 ? this.#readBroken(bytes.subarray(0, end), start) : past;
  }

  /**
   * Called before the rows of a block are read one after another. If few of many columns are needed, it has their keys looked for,
   * which is several times as fast. The bytes in between are not checked then.
   */
  openBlock(bytes: Buffer, end: number): void {
    this.#setBytes(bytes);
    const requested = this.#keys.filter(({ slot }) => slot !== -1);
    const areFew = requested.length * (1 + minOtherKeys) <= this.#keys.length && requested.length === this.#slots.size;
    const canBeFound = areFew && [...this.#keys.slice(0, 1), ...requested].every(key => key.canBeFound);
    if (canBeFound) this.#block = bytes.subarray(0, end);
    this.#nextArray = 0;
  }

  #setBytes(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.#view = viewOf(bytes);
    this.#block = undefined;
  }

  /** The index just past a row without arrays and objects, if the next row begins with the same key. -1 for other rows. */
  #pastFlatRow(block: Buffer, start: number): number {
    if (this.#nextArray < start) this.#nextArray = indexOrEnd(block, openBracket, start);
    const next = indexOrEnd(block, openBrace, start + 1);
    if (next > this.#nextArray || !this.#keys[0]!.pattern.isAt(this.#view, next + 1)) return -1;
    let past = next;
    while (block[past - 1] === comma || block[past - 1]! <= space) past--;
    return block[past - 1] === closeBrace ? past : -1;
  }

  #readBroken(bytes: Uint8Array, start: number): number {
    const end = pastNested(bytes, start);
    this.from.fill(-1);
    if (this.#firstColumnSlot === -1) return end;
    this.from[this.#firstColumnSlot] = start;
    this.to[this.#firstColumnSlot] = end;
    this.flags[this.#firstColumnSlot] = differentSpelling | beyondAscii | brokenRow;
    return end;
  }

  /** The index just past the row, or -1 if it is not valid JSON. If it is known before, only requested keys are read. */
  #walk(bytes: Uint8Array, start: number, end: number, knownPast = -1): number {
    const view = this.#view;
    let at = pastBlankBytes(bytes, start + 1);
    if (bytes[at] === closeBrace) return at + 1;
    for (let nth = 0; at < end; nth++) {
      if (knownPast !== -1) {
        while (this.#keys[nth]?.slot === -1) nth++;
        const key = this.#keys[nth];
        if (!key) return knownPast;
        at = key.pattern.find(this.#block!, view, at);
        if (at === -1 || at > knownPast) return -1;
      }
      const previousKey = this.#keys[nth];
      let column: KeySlot;
      if (previousKey?.pattern.isAt(view, at)) {
        column = previousKey;
        at += previousKey.pattern.length;
      } else {
        const pastColon = pastKey(bytes, at);
        if (pastColon === -1 || pastColon > end) return -1;
        column = this.#learnKey(bytes.subarray(at, pastColon), nth);
        at = pastColon;
      }
      at = pastBlankBytes(bytes, at);
      const first = at;
      let byte = bytes[at]!;
      let flags = 0;
      if (byte === quote) {
        let allBits = 0;
        at++;
        while ((byte = bytes[at++]!) !== quote) {
          allBits |= byte;
          // JSON must escape control characters.
          if (byte < space) return -1;
          if (byte === backslash) {
            flags = differentSpelling;
            at = pastEscape(bytes, at);
            if (at === -1) return -1;
          }
        }
        if (allBits > 0x7f) flags |= beyondAscii;
      } else if ((byte | 0x20) === openBrace) {
        at = pastNestedJson(bytes, at, end);
        if (at === -1) return -1;
        flags = differentSpelling | beyondAscii;
      } else {
        let otherBytes = 0;
        while (byte !== comma && byte !== closeBrace && byte > space && at < end) {
          if (byte < zero || byte > nine) otherBytes++;
          byte = bytes[++at]!;
        }
        // Most values are digits only.
        if (otherBytes > 0 || at === first || (bytes[first] === zero && at > first + 1)) {
          const spelling = spellingOf(bytes, first, at);
          if (spelling === -1) return -1;
          flags = spelling;
        }
      }
      if (column.slot !== -1) {
        this.from[column.slot] = first;
        this.to[column.slot] = at;
        this.flags[column.slot] = flags | column.flags;
      }
      at = pastBlankBytes(bytes, at);
      if (bytes[at] === closeBrace) return at < end ? at + 1 : -1;
      if (bytes[at] !== comma) return -1;
      at = pastBlankBytes(bytes, at + 1);
    }
    return -1;
  }

  #learnKey(bytes: Uint8Array, nth: number): KeySlot {
    // This row has other keys, and those that follow may, too.
    this.#block = undefined;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    const name = JSON.parse(text.slice(0, text.lastIndexOf(':'))) as string;
    const column = { slot: this.#slots.get(name) ?? -1, flags: this.#blobColumns.has(name) ? blobColumn : 0 };
    const isLearned = nth <= this.#keys.length && nth < maxLearnedKeys && bytes.length <= maxLearnedKeyBytes;
    const canBeFound = !/^"[\s,:\]}"\\]/.test(text);
    if (isLearned) this.#keys[nth] = { ...column, pattern: new BytePattern(bytes), canBeFound };
    return column;
  }
}

const wordBytes = 4;

/** Bytes that are expected in many places, such as a key in each row. They are compared four at a time. */
class BytePattern {
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

  /** The index of the bytes at `from`, or after a later comma. -1 if they are not there. */
  find(block: Buffer, view: DataView, from: number): number {
    if (this.isAt(view, from)) return from;
    const at = block.indexOf(this.#bytes, from);
    return block[at - 1] === comma ? at : -1;
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

const indexOrEnd = (bytes: Buffer, byte: number, from: number): number => {
  const at = bytes.indexOf(byte, from);
  return at === -1 ? bytes.length : at;
};

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** Far deeper than the client accepts: spools of earlier versions may hold such rows. */
const maxDepth = 1 << 20;

/**
 * The index just past the array or object that begins at `from`, or -1 if it is not valid JSON. It builds no values, so a
 * large value of the service takes no memory for this check. There must be quotes after `end`.
 */
export function pastNestedJson(bytes: Uint8Array, from: number, end: number): number {
  const closers: number[] = [];
  let at = from;
  for (;;) {
    const first = bytes[at]!;
    if ((first | space) === openBrace) {
      if (closers.length === maxDepth) return -1;
      const closer = closerOf(first);
      closers.push(closer);
      at = pastBlankBytes(bytes, at + 1);
      if (bytes[at] !== closer) {
        if (closer === closeBrace) at = pastName(bytes, at);
        if (at === -1) return -1;
        continue;
      }
    } else at = pastScalar(bytes, at, end);
    // The closing brackets after a value, up to the comma before the next one.
    for (;;) {
      if (at === -1 || at >= end) return -1;
      at = pastBlankBytes(bytes, at);
      const closer = closers.at(-1)!;
      if (bytes[at] === closer) {
        closers.pop();
        at++;
        if (closers.length === 0) return at <= end ? at : -1;
        continue;
      }
      if (bytes[at] !== comma) return -1;
      at = pastBlankBytes(bytes, at + 1);
      if (closer === closeBrace) at = pastName(bytes, at);
      if (at === -1) return -1;
      break;
    }
  }
}

/** In ASCII, a closing bracket is the second character after its opening bracket. */
const closerOf = (opener: number): number => opener + 2;

/** The index of the value after the name that begins at `from`, or -1 if there is no name. */
function pastName(bytes: Uint8Array, from: number): number {
  const past = pastKey(bytes, from);
  return past === -1 ? -1 : pastBlankBytes(bytes, past);
}

/** The index just past the colon after the key that begins at `from`, or -1 if it is not valid JSON. */
function pastKey(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== quote) return -1;
  const past = pastText(bytes, from + 1);
  if (past === -1) return -1;
  const at = pastBlankBytes(bytes, past);
  return bytes[at] === colon ? at + 1 : -1;
}

/** The index just past a string, a number or a word, or -1 if there is none. */
function pastScalar(bytes: Uint8Array, from: number, end: number): number {
  if (bytes[from] === quote) return pastText(bytes, from + 1);
  let at = from;
  let otherBytes = 0;
  for (let byte = bytes[at]!; at < end && !endsScalar(byte); byte = bytes[++at]!) {
    if (byte < zero || byte > nine) otherBytes++;
  }
  if (otherBytes === 0 && at > from && (bytes[from] !== zero || at === from + 1)) return at;
  return at > from && spellingOf(bytes, from, at) !== -1 ? at : -1;
}

const endsScalar = (byte: number): boolean => byte <= space || byte === comma || (byte | space) === closeBrace;

/** The index just past the string that `from` is in, or -1 if it is not valid JSON. */
function pastText(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let byte = bytes[at++]!; byte !== quote; byte = bytes[at++]!) {
    // JSON must escape control characters.
    if (byte < space) return -1;
    if (byte !== backslash) continue;
    at = pastEscape(bytes, at);
    if (at === -1) return -1;
  }
  return at;
}
