/** The parameter of an object's constructor. */
export interface ObjectState {
  readonly storage: ObjectStorage;
}

/** The parts of a Durable Object's storage that the engine uses. https://developers.cloudflare.com/durable-objects/api/ */
export interface ObjectStorage {
  readonly sql: ObjectSql;
  /** In the same file and the same transactions as the tables. Statements cannot reach it. */
  readonly kv: ObjectKeyValues;
  /** Runs `work` in a transaction, which an error rolls back. `work` must not be asynchronous. */
  transactionSync<T>(work: () => T): T;
  getAlarm(): Promise<number | null>;
  setAlarm(time: number): Promise<void>;
  /** Removes tables, values and the alarm. */
  deleteAll(): Promise<void>;
}

interface ObjectSql {
  exec(sql: string, ...values: readonly SqlInput[]): SqlCursor;
}

/** Numbers become REALs, and texts stay texts. */
type SqlInput = string | number | null;
/** Integers come as doubles, so a large one is not exact. */
export type SqlOutput = string | number | ArrayBuffer | null;

interface SqlCursor {
  readonly columnNames: readonly string[];
  raw(): IterableIterator<SqlOutput[]>;
}

export interface ObjectKeyValues {
  get(key: string): unknown;
  put(key: string, value: unknown): void;
  delete(key: string): boolean;
  list(options: {
    readonly prefix?: string;
    readonly startAfter?: string;
    readonly limit?: number;
  }): Iterable<[string, unknown]>;
}

/** A value that is a text or a number, as a text. */
export const outputText = (value: SqlOutput | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
