import { endOfRow } from '../spool/rowsIn.ts';
import { beyondAscii, brokenRow, ofBlobs, spelledOtherwise } from './cell.ts';
import { blank, isJson, pastEscape, pastKey, spellingOf } from './jsonBytes.ts';
import { viewOf, WantedBytes } from './wantedBytes.ts';

const space = 0x20;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** A key as it stands in rows, with its quotes and colon, and the place of its column among those that are wanted. */
interface Key {
  readonly bytes: WantedBytes;
  readonly slot: number;
  /** What all values of the column are flagged with. */
  readonly flags: number;
}

/**
 * Finds where the values of some columns stand in a row. It sees every byte of a result, so nothing is decoded here,
 * and keys are compared with those of the row before, which are most likely the same.
 */
export class RowWalker {
  /** Where each wanted value begins; -1 where the row does not have it. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly flags: Uint8Array;
  /** The bytes that the values stand in. */
  bytes: Uint8Array = new Uint8Array(0);
  #view = viewOf(this.bytes);
  readonly #slots: ReadonlyMap<string, number>;
  readonly #firstSlot: number;
  readonly #blobs: ReadonlySet<string>;
  #keys: Key[] = [];

  /** `first` is the name of the column that a row which cannot be read stands in, `blobs` those of columns of BLOBs. */
  constructor(names: readonly string[], first: string | undefined, blobs: ReadonlySet<string> = new Set()) {
    this.#slots = new Map(names.map((name, slot) => [name, slot]));
    this.#firstSlot = names.indexOf(first ?? '');
    this.#blobs = blobs;
    this.from = new Int32Array(names.length);
    this.to = new Int32Array(names.length);
    this.flags = new Uint8Array(names.length);
  }

  /**
   * Reads the row that begins at `start`, and gives the index just past it. Behind the rows there has to be a quote,
   * so that strings need not be watched for the end of the bytes.
   */
  read(bytes: Uint8Array, start: number, end: number): number {
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      this.#view = viewOf(bytes);
    }
    this.from.fill(-1);
    const past = this.#walk(bytes, start, end);
    return past === -1 ? this.#broken(bytes.subarray(0, end), start) : past;
  }

  #broken(bytes: Uint8Array, start: number): number {
    const end = endOfRow(bytes, start);
    this.from.fill(-1);
    if (this.#firstSlot === -1) return end;
    this.from[this.#firstSlot] = start;
    this.to[this.#firstSlot] = end;
    this.flags[this.#firstSlot] = spelledOtherwise | beyondAscii | brokenRow;
    return end;
  }

  #walk(bytes: Uint8Array, start: number, end: number): number {
    const view = this.#view;
    let at = blank(bytes, start + 1);
    if (bytes[at] === closeBrace) return at + 1;
    for (let nth = 0; at < end; nth++) {
      let key = this.#keys[nth];
      if (key?.bytes.areAt(view, at)) at += key.bytes.length;
      else {
        const past = pastKey(bytes, at, end);
        if (past === -1) return -1;
        key = this.#learn(bytes.subarray(at, past), nth);
        if (!key) return -1;
        at = past;
      }
      at = blank(bytes, at);
      const first = at;
      let byte = bytes[at]!;
      let flags = 0;
      if (byte === quote) {
        let seen = 0;
        at++;
        while ((byte = bytes[at++]!) !== quote) {
          seen |= byte;
          // A control character, which JSON has by its escape alone.
          if (byte < space) return -1;
          if (byte === backslash) {
            flags = spelledOtherwise;
            at = pastEscape(bytes, at);
            if (at === -1) return -1;
          }
        }
        if (seen > 0x7f) flags |= beyondAscii;
      } else if ((byte | 0x20) === openBrace) {
        at = endOfRow(bytes.subarray(0, end), at);
        if (!isJson(bytes, first, at)) return -1;
        flags = spelledOtherwise | beyondAscii;
      } else {
        let others = 0;
        while (byte !== comma && byte !== closeBrace && byte > 0x20 && at < end) {
          if (byte < 0x30 || byte > 0x39) others++;
          byte = bytes[++at]!;
        }
        // Most are digits and nothing else.
        if (others > 0 || at === first || (bytes[first] === 0x30 && at > first + 1)) {
          const spelling = spellingOf(bytes, first, at);
          if (spelling === -1) return -1;
          flags = spelling;
        }
      }
      if (key.slot !== -1) {
        this.from[key.slot] = first;
        this.to[key.slot] = at;
        this.flags[key.slot] = flags | key.flags;
      }
      at = blank(bytes, at);
      if (bytes[at] === closeBrace) return at < end ? at + 1 : -1;
      if (bytes[at] !== comma) return -1;
      at = blank(bytes, at + 1);
    }
    return -1;
  }

  /** A key that stood elsewhere before, or not at all. */
  #learn(bytes: Uint8Array, nth: number): Key | undefined {
    const text = Buffer.from(bytes).toString('utf8');
    try {
      const name = JSON.parse(text.slice(0, text.lastIndexOf(':'))) as string;
      const flags = this.#blobs.has(name) ? ofBlobs : 0;
      const key = { bytes: new WantedBytes(bytes), slot: this.#slots.get(name) ?? -1, flags };
      if (nth <= this.#keys.length) this.#keys[nth] = key;
      return key;
    } catch {
      return undefined;
    }
  }
}
