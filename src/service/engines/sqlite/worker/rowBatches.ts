import type { SQLOutputValue, StatementColumnMetadata } from 'node:sqlite';
import { distinctNames } from '../../../../base/distinctNames.ts';
import { type Column, exactNumbers, isLargeReal, answerColumns } from '../../../../wire/values.ts';
import { tooLarge } from '../../../faults.ts';

/** How many rows become one text: many enough for speed, few enough for the processor's cache. */
const textRows = 256;
/** Long values end a text earlier: memory and the length of a JavaScript string are limited. */
const textLength = 1_000_000;
/** The characters of texts and bytes of BLOBs in a row. Escaped, they must still fit into one JavaScript string. */
const maxRowLength = 80_000_000;
/** A batch of this many characters is sent. */
const batchLength = 64 * 1024;
/** A batch is sent after this time, because other calls wait for the thread. */
export const maxBatchMs = 10;

/** The rows of an answer, one batch at a time. */
export interface BatchSource {
  /** The next batch; undefined at the end. It is empty if no row has been found yet. */
  next(): Uint8Array | undefined;
  /** Complete at the end. */
  columns(): readonly Column[];
  close(): void;
}

/** The rows of a statement, which gives them to `take`. */
export interface StatementRows {
  /** Gives rows until `take` returns true. Returns false at the end of the rows. */
  give(take: (row: SQLOutputValue[]) => boolean): boolean;
  close(): void;
}

/** A statement's rows as JSON. Each batch takes its rows from the statement when it is needed. */
export class RowBatches implements BatchSource {
  readonly #source: StatementRows;
  readonly #describe: () => readonly StatementColumnMetadata[];
  #toText: ((rows: readonly SQLOutputValue[][]) => string) | undefined;
  #names: readonly string[] = [];
  #types: (string | null)[] = [];
  #comma = '';
  #hasEnded = false;
  /** The batch that is being made: its text, the rows that follow, their number in all, and its begin. */
  #batch = '';
  #rows: SQLOutputValue[][] = [];
  #rowsLength = 0;
  #count = 0;
  #startedAt = 0;

  constructor(source: StatementRows, describe: () => readonly StatementColumnMetadata[]) {
    this.#source = source;
    this.#describe = describe;
  }

  next(): Uint8Array | undefined {
    if (this.#hasEnded) return undefined;
    this.#batch = '';
    this.#count = 0;
    this.#startedAt = performance.now();
    this.#hasEnded = !this.#source.give(this.#take);
    this.#toText ??= this.#writer();
    this.#write();
    return this.#batch === '' ? undefined : Buffer.from(this.#batch);
  }

  columns(): readonly Column[] {
    return answerColumns(this.#names, this.#types);
  }

  close(): void {
    this.#hasEnded = true;
    this.#source.close();
  }

  /** Returns whether the batch is complete. */
  readonly #take = (row: SQLOutputValue[]): boolean => {
    const rowLength = lengthOf(row);
    if (rowLength > maxRowLength) {
      throw tooLarge(
        `A row may have ${maxRowLength} characters and bytes. Select fewer columns, or parts of their values.`,
      );
    }
    // SQLite reads the schema with the first row, so the columns are right only then.
    this.#toText ??= this.#writer();
    this.#rowsLength += rowLength;
    if (this.#rows.push(row) === textRows || this.#rowsLength > textLength) this.#write();
    this.#count++;
    // The first row is sent alone: the reader sees it during the search for the next ones.
    if (this.#comma === '' || this.#batch.length >= batchLength) return true;
    // Reading the clock costs as much as a value, so many rows are read between two readings.
    const readsClock = (this.#count & (this.#count - 1)) === 0 || (this.#count & 15) === 0;
    return readsClock && performance.now() - this.#startedAt > maxBatchMs;
  };

  #writer(): (rows: readonly SQLOutputValue[][]) => string {
    const described = this.#describe();
    this.#names = distinctNames(described.map(({ name }) => name));
    this.#types = described.map(({ type }) => type);
    return rowWriter(this.#names);
  }

  #write(): void {
    if (this.#rows.length === 0) return;
    noteTypes(this.#types, this.#rows);
    this.#batch += this.#comma + (this.#toText?.(this.#rows) ?? '');
    this.#comma = ',';
    this.#rows = [];
    this.#rowsLength = 0;
  }
}

const unusualKey = /^(?:\d+|__proto__)$/;

/** Writes rows of values as JSON objects separated by commas. */
function rowWriter(names: readonly string[]): (rows: readonly SQLOutputValue[][]) => string {
  // JavaScript moves keys that look like array indices to the front, and an assignment to __proto__ makes no key.
  if (names.some(name => unusualKey.test(name))) {
    const keys = names.map(name => `${JSON.stringify(name)}:`);
    return rows =>
      rows.map(row => `{${row.map((v, i) => keys[i] + JSON.stringify(toJson(v), exactNumbers)).join(',')}}`).join(',');
  }
  return rows => {
    let isExact = true;
    const objects = rows.map(row => {
      const object: Record<string, unknown> = {};
      for (let i = 0; i < names.length; i++) {
        const value = toJson(row[i] as SQLOutputValue);
        isExact &&= typeof value !== 'bigint' && !isUnusual(value);
        object[names[i] as string] = value;
      }
      return object;
    });
    // A replacer halves the speed, so only values that are not exact as doubles get one.
    return JSON.stringify(objects, isExact ? undefined : exactNumbers).slice(1, -1);
  };
}

/** Numbers that JSON.stringify would not write exactly. */
const isUnusual = (value: unknown): boolean =>
  value === Infinity || value === -Infinity || Object.is(value, -0) || isLargeReal(value);

function toJson(value: SQLOutputValue): unknown {
  if (typeof value === 'bigint') {
    const double = Number(value);
    return Number.isSafeInteger(double) ? double : value;
  }
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
    : value;
}

/** The characters and bytes of a row's texts and BLOBs. */
function lengthOf(row: readonly SQLOutputValue[]): number {
  let length = 0;
  for (const value of row) {
    if (typeof value === 'string') length += value.length;
    else if (value instanceof Uint8Array) length += value.byteLength;
  }
  return length;
}

/** Gives a column without a declared type the type of its first value. */
function noteTypes(types: (string | null)[], rows: readonly SQLOutputValue[][]): void {
  for (let i = 0; i < types.length; i++) {
    if (types[i] !== null) continue;
    const value = rows.find(row => row[i] !== null)?.[i];
    types[i] = value === undefined || value === null ? null : storageClass(value);
  }
}

function storageClass(value: string | number | bigint | Uint8Array): string {
  if (typeof value === 'string') return 'TEXT';
  if (typeof value === 'bigint') return 'INTEGER';
  return typeof value === 'number' ? 'REAL' : 'BLOB';
}
