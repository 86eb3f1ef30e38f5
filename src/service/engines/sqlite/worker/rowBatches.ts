import type { SQLOutputValue, StatementColumnMetadata } from 'node:sqlite';
import { serviceCodes, ServiceError } from '../../../../wire/serviceError.ts';
import type { Column } from '../../../../wire/values.ts';
import { uniqueColumnNames } from '../../../../wire/columnNames.ts';
import { columnsOf } from '../../common/columns.ts';
import { lengthOf, noteTypes, rowWriter } from './rowText.ts';

/** How many rows become one text: enough for speed, and few enough for the processor's cache. */
const textRows = 256;
/** Long values end a text earlier: the length of a text and the memory are limited. */
const textLength = 1_000_000;
/** How many characters and bytes a row may have. Escaped, they must still fit into one text. */
const maxRowLength = 80_000_000;
/** A batch is sent from this length on, in characters. */
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

/** A statement's rows as JSON. Each batch takes its rows from the statement when it is needed. */
export class RowBatches implements BatchSource {
  readonly #rows: Iterator<SQLOutputValue[]>;
  readonly #describe: () => readonly StatementColumnMetadata[];
  #toText: ((rows: readonly SQLOutputValue[][]) => string) | undefined;
  #names: readonly string[] = [];
  #types: (string | null)[] = [];
  #comma = '';
  #hasEnded = false;

  constructor(rows: Iterator<SQLOutputValue[]>, describe: () => readonly StatementColumnMetadata[]) {
    this.#rows = rows;
    this.#describe = describe;
  }

  next(): Uint8Array | undefined {
    if (this.#hasEnded) return undefined;
    const startedAt = performance.now();
    let batch = '';
    let rows: SQLOutputValue[][] = [];
    let length = 0;
    for (let count = 1; batch.length < batchLength; count++) {
      const step = this.#rows.next();
      // SQLite reads the schema with the first row, so the columns are right only then.
      this.#toText ??= this.#writer();
      if (step.done) {
        this.#hasEnded = true;
        break;
      }
      const rowLength = lengthOf(step.value);
      if (rowLength > maxRowLength) throw tooLong();
      rows.push(step.value);
      length += rowLength;
      if (rows.length === textRows || length > textLength) {
        batch += this.#text(rows);
        rows = [];
        length = 0;
      }
      // The first row is sent alone, so that the reader sees it while the next ones are searched.
      if (batch === '' && this.#comma === '') break;
      // Reading the clock costs as much as a value, so many rows are read between two readings.
      const readsClock = (count & (count - 1)) === 0 || (count & 15) === 0;
      if (readsClock && performance.now() - startedAt > maxBatchMs) break;
    }
    if (rows.length > 0) batch += this.#text(rows);
    return batch === '' ? undefined : Buffer.from(batch);
  }

  columns(): readonly Column[] {
    return columnsOf(this.#names, this.#types);
  }

  close(): void {
    this.#hasEnded = true;
    this.#rows.return?.();
  }

  #writer(): (rows: readonly SQLOutputValue[][]) => string {
    const described = this.#describe();
    this.#names = uniqueColumnNames(described.map(({ name }) => name));
    this.#types = described.map(({ type }) => type);
    return rowWriter(this.#names);
  }

  #text(rows: readonly SQLOutputValue[][]): string {
    noteTypes(this.#types, rows);
    const text = this.#comma + (this.#toText?.(rows) ?? '');
    this.#comma = ',';
    return text;
  }
}

function tooLong(): ServiceError {
  const message = `A row may have ${maxRowLength} characters and bytes. Select fewer columns, or parts of their values.`;
  return new ServiceError({ status: 413, code: serviceCodes.tooLarge, message });
}
