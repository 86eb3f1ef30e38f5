import type { Column, SqlParameter } from '../wire/values.ts';

/** One statement for one project. */
export interface SqlCall {
  readonly sql: string;
  readonly params: readonly SqlParameter[];
  /**
   * Lets a write happen once only: the same key with the same fingerprint gets the first answer again, with another one
   * it is refused. Only what was committed is remembered, for a day.
   */
  readonly once?: { readonly key: string; readonly fingerprint: string } | undefined;
  /** Ends the statement when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
}

/** What a statement came to. Faults are thrown as ServiceError, with the status and code that the caller is to see. */
export type Outcome =
  | RowsOutcome
  | {
      readonly kind: 'count';
      readonly rowCount: number;
      /** Told again, not done again. */
      readonly replayed: boolean;
    };

export interface RowsOutcome {
  readonly kind: 'rows';
  readonly replayed: boolean;
  /**
   * Rows as JSON objects in UTF-8. One after the other, the batches are what stands between the brackets of an array,
   * and each ends behind a whole row. Little is read ahead of the consumer, and leaving the loop early ends the statement.
   */
  readonly batches: AsyncIterable<Uint8Array>;
  /** Known for sure once the rows have been read. */
  columns(): readonly Column[];
}

export interface TableColumn {
  readonly cid: number;
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  /** The expression as it was written. */
  readonly default: string | null;
  /** Its place in the primary key, from 1; 0 when it is no part of it. */
  readonly primaryKey: number;
}

export interface Page {
  readonly table: string;
  readonly limit: number;
  readonly offset: number;
}

/** Where projects' databases live. The handler knows only this. */
export interface Engine {
  /** Makes the project's database. */
  create(projectId: string): Promise<void>;
  execute(projectId: string, call: SqlCall): Promise<Outcome>;
  browse(projectId: string, page: Page, signal?: AbortSignal): Promise<RowsOutcome>;
  listTables(projectId: string): Promise<readonly string[]>;
  schema(projectId: string, table: string): Promise<readonly TableColumn[]>;
  countTables(projectId: string): Promise<number>;
  vacuum(projectId: string): Promise<void>;
  /** What is wrong with the database, in SQLite's words. Nothing is wrong when there are none. */
  integrityCheck(projectId: string): Promise<readonly string[]>;
  /** Writes a consistent copy into a file, also while the project is in use. */
  exportTo(projectId: string, file: string): Promise<void>;
  /** Replaces the project's database by that of a file, or leaves it as it is and says why. */
  importFrom(projectId: string, file: string): Promise<void>;
  /** Ends what runs on the project's database, and leaves nothing of it. */
  remove(projectId: string): Promise<void>;
  close(): Promise<void>;
}
