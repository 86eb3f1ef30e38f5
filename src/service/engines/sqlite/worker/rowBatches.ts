import type { SQLOutputValue, StatementColumnMetadata } from 'node:sqlite';
import { serviceCodes, ServiceError } from '../../../../wire/serviceError.ts';
import type { Column } from '../../../../wire/values.ts';
import { columnsOf, distinctNames, lengthOf, noteTypes, rowWriter } from './rowText.ts';

/** Rows that are written as one text: enough for speed, and little enough to stay near the processor. */
const textRows = 256;
/** Values that are long make shorter texts: a text has a longest length, and memory an end. */
const textLength = 1_000_000;
/** The characters and bytes that a row may have: escaped, they must still go into one text. */
const rowLimit = 80_000_000;
/** What is worth sending, in characters. */
const batchLength = 64 * 1024;
/** How long rows are gathered that are slow to be found, in milliseconds. Others wait for the thread meanwhile. */
const patience = 10;

/** What gives an answer's rows, a batch at a time. */
export interface BatchSource {
  /** The next batch, undefined at the end. */
  next(): Uint8Array | undefined;
  /** Known for sure at the end. */
  columns(): readonly Column[];
  close(): void;
}

/** A statement's rows as JSON, taken from it as the batches are asked for. */
export class RowBatches implements BatchSource {
  readonly #rows: Iterator<SQLOutputValue[]>;
  readonly #describe: () => readonly StatementColumnMetadata[];
  #toText: ((rows: readonly SQLOutputValue[][]) => string) | undefined;
  #names: readonly string[] = [];
  #types: (string | null)[] = [];
  #comma = '';
  #ended = false;

  constructor(rows: Iterator<SQLOutputValue[]>, describe: () => readonly StatementColumnMetadata[]) {
    this.#rows = rows;
    this.#describe = describe;
  }

  next(): Uint8Array | undefined {
    if (this.#ended) return undefined;
    const started = performance.now();
    let batch = '';
    let rows: SQLOutputValue[][] = [];
    let length = 0;
    for (let count = 1; batch.length < batchLength; count++) {
      const step = this.#rows.next();
      // SQLite reads the schema with the first row, so only then its word on the columns is good.
      this.#toText ??= this.#writer();
      if (step.done) {
        this.#ended = true;
        break;
      }
      const rowLength = lengthOf(step.value);
      if (rowLength > rowLimit) throw tooLong();
      rows.push(step.value);
      length += rowLength;
      if (rows.length === textRows || length > textLength) {
        batch += this.#text(rows);
        rows = [];
        length = 0;
      }
      // The first row goes alone, so that it is seen while the next ones are still being found.
      if (batch === '' && this.#comma === '') break;
      // The clock is asked seldom when rows come quickly: it costs as much as a value.
      const glance = (count & (count - 1)) === 0 || (count & 15) === 0;
      if (glance && performance.now() - started > patience) break;
    }
    if (rows.length > 0) batch += this.#text(rows);
    return batch === '' ? undefined : Buffer.from(batch);
  }

  columns(): readonly Column[] {
    return columnsOf(this.#names, this.#types);
  }

  close(): void {
    this.#ended = true;
    this.#rows.return?.();
  }

  #writer(): (rows: readonly SQLOutputValue[][]) => string {
    const described = this.#describe();
    this.#names = distinctNames(described.map(({ name }) => name));
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
  const message = `A row may have ${rowLimit} characters and bytes. Take fewer of its columns, or parts of their values.`;
  return new ServiceError({ status: 413, code: serviceCodes.tooLarge, message });
}
