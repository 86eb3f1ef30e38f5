import { messageOf } from '../../../base/errors.ts';
import { serviceCodes, ServiceError } from '../../../wire/serviceError.ts';
import { exactText } from '../../../wire/values.ts';
import { busy } from '../../faults.ts';
import { plainSelect, finishedJson } from './exactSelect.ts';
import { attemptSql, objectFault } from './objectFault.ts';
import { type ObjectStorage, type SqlOutput, outputText } from './objectStorage.ts';
import type { PlannedColumns, StatementPlan } from './statementPlan.ts';

/** The size of a batch, in characters. A row is never divided. */
const batchLength = 64 * 1024;

type QueryPlan = Extract<StatementPlan, { kind: 'query' }>;

/**
 * The rows of a query, taken from its cursor when the reader needs them. A cursor is live: it would show rows that are written
 * later. So the engine drains the open answers before each write.
 */
export class OpenAnswer {
  readonly #storage: ObjectStorage;
  readonly #plan: QueryPlan;
  readonly #values: readonly string[];
  readonly #onEnd: () => void;
  readonly #types: (string | undefined)[];
  readonly #heldBatches: Uint8Array[] = [];
  readonly #encoder = new TextEncoder();
  #rows: Iterator<SqlOutput[]>;
  /** How a row of the cursor becomes JSON. */
  #jsonOf: (row: SqlOutput[]) => string;
  #rowCount = 0;
  #seenTypes: SqlOutput | undefined;
  /** The first batches are short: a row is sent before the search for the next one, which may take long. */
  #batchRows = 1;
  #isEnded = false;
  /** Whether SQLite has ended the cursor, because of its last row or an error. */
  #isCursorDone = false;
  #fault: Error | undefined;

  constructor(storage: ObjectStorage, plan: QueryPlan, values: readonly string[], onEnd: () => void) {
    this.#storage = storage;
    this.#plan = plan;
    this.#values = values;
    this.#onEnd = onEnd;
    this.#types = [...plan.columns.types];
    this.#jsonOf = this.#exactJson;
    this.#rows = this.#open(plan.exact);
  }

  /** Complete after the rows have been read. */
  get columns(): PlannedColumns {
    return { names: this.#plan.columns.names, types: this.#types };
  }

  /** The next rows. Undefined at the end. */
  next(): Uint8Array | undefined {
    const held = this.#heldBatches.shift();
    if (held) return held;
    if (this.#fault) throw this.#fault;
    return this.#read();
  }

  /** Reads the remaining rows into memory. If they exceed `room` bytes, the answer ends with a fault. Returns the bytes read. */
  drain(room: number): number {
    let sizeBytes = 0;
    try {
      for (let batch = this.#read(); batch; batch = this.#read()) {
        this.#heldBatches.push(batch);
        sizeBytes += batch.length;
        if (sizeBytes <= room) continue;
        this.#fault = busy(
          'The rows changed before they were read, and there were too many to keep. Read them again, or fewer at once.',
        );
        this.end();
        break;
      }
    } catch (thrown) {
      this.#fault = asError(thrown);
      this.end();
    }
    return sizeBytes;
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#onEnd();
  }

  /** Whether the cursor has rows left. Such a cursor locks its tables. */
  get hasOpenCursor(): boolean {
    return !this.#isCursorDone;
  }

  /** Steps the cursor once. That ends it only after the engine has made and undone a change of the schema. */
  closeCursor(): void {
    try {
      if (this.#rows.next().done === true) this.#isCursorDone = true;
    } catch {
      this.#isCursorDone = true;
    }
  }

  #read(): Uint8Array | undefined {
    let text = '';
    const endRow = this.#rowCount + this.#batchRows;
    this.#batchRows *= 2;
    while (!this.#isEnded && text.length < batchLength && this.#rowCount < endRow) {
      try {
        const row = this.#step();
        if (row) text += (this.#rowCount++ > 0 ? ',' : '') + this.#jsonOf(row);
        else this.end();
      } catch (thrown) {
        this.end();
        if (text === '') throw thrown;
        // The rows before an error come first.
        this.#fault = asError(thrown);
      }
    }
    return text === '' ? undefined : this.#encoder.encode(finishedJson(text));
  }

  #step(): SqlOutput[] | undefined {
    try {
      const { value, done } = this.#rows.next() as IteratorResult<SqlOutput[], undefined>;
      if (done !== true) return value;
      this.#isCursorDone = true;
      return undefined;
    } catch (thrown) {
      this.#isCursorDone = true;
      const fault = objectFault(thrown);
      if (!isTooLarge(fault) || this.#jsonOf !== this.#exactJson) throw fault;
      // A row is too long as one text, so read the rest in another way. Nothing was written since, so the rows are the same.
      const { names } = this.#plan.columns;
      this.#jsonOf = row => plainJson(names, row);
      this.#rows = this.#open(plainSelect(this.#plan.statement.text, names.length, this.#rowCount));
      this.#isCursorDone = false;
      return this.#step();
    }
  }

  /**
   * The first value of a row is its JSON, which `finishedJson` completes. The second one, if any, has the storage classes of the
   * columns without a declared type.
   */
  readonly #exactJson = (row: SqlOutput[]): string => {
    if (row[1] !== this.#seenTypes) this.#see(outputText(row[1]));
    return outputText(row[0]);
  };

  /** A column without a declared type has the type of its first value that is not NULL. */
  #see(types: string): void {
    this.#seenTypes = types;
    for (const [at, type] of types.split(' ').entries()) {
      const nth = this.#plan.untyped[at]!;
      if (type !== 'null') this.#types[nth] ??= type.toUpperCase();
    }
  }

  #open(sql: string): Iterator<SqlOutput[]> {
    return attemptSql(() => this.#storage.sql.exec(sql, ...this.#values).raw());
  }
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(messageOf(thrown)));

const isTooLarge = (fault: unknown): boolean => fault instanceof ServiceError && fault.code === serviceCodes.tooLarge;

/** The JSON of a row. Its first value lists the storage classes of the others. */
function plainJson(names: readonly string[], [types = '', ...values]: readonly SqlOutput[]): string {
  const typeList = outputText(types).split(' ');
  const members = names.map((name, nth) => `${JSON.stringify(name)}:${valueJson(typeList[nth], values[nth]!)}`);
  return `{${members.join(',')}}`;
}

function valueJson(type: string | undefined, value: SqlOutput): string {
  switch (type) {
    case 'null':
      return 'null';
    case 'integer':
      return outputText(value);
    case 'real':
      return exactText(value);
    case 'blob':
      return JSON.stringify(Buffer.from(value as ArrayBuffer).toString('base64'));
    default:
      return JSON.stringify(value);
  }
}
