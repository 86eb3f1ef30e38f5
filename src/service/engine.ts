import type { KeyScope } from '../wire/keyScope.ts';
import type { EngineDescription, TableColumn } from '../wire/projectAnswers.ts';
import type { Column } from '../wire/values.ts';

/**
 * Lets a call be sent again. The same key with the same fingerprint gets the first answer again; with another fingerprint
 * it is refused. Answers and refusals of statements are remembered for a day. Faults that pass are not, only their keys.
 */
export interface IdempotencyKey {
  readonly key: string;
  readonly fingerprint: string;
}

/** One statement for one project. */
export interface SqlCall {
  /** The body of the request: the JSON of an `SqlRequest`, not yet checked. It nests only a few levels deep. */
  readonly body: Uint8Array;
  /** Undefined with the scope `read`: nothing is remembered for a key that only reads. */
  readonly idempotencyKey: string | undefined;
  /** The scope of the caller's key. With `read`, a statement that may change something is refused. */
  readonly scope: KeyScope;
  /** Aborts when nobody waits for the statement. */
  readonly signal?: AbortSignal | undefined;
}

/** The outcome of a statement. Faults are thrown as ServiceError, with the status and code for the caller. */
export type Outcome = RowsOutcome | CountOutcome;

export interface CountOutcome {
  readonly kind: 'count';
  readonly rowCount: number;
  /** Whether this is the stored answer of an earlier call, and the statement did not run again. */
  readonly replayed: boolean;
}

export interface RowsOutcome {
  readonly kind: 'rows';
  readonly replayed: boolean;
  /**
   * Rows as JSON objects in UTF-8. The batches together are the inside of a JSON array. Each batch ends after a whole row.
   * Few rows are read ahead of the reader. Leaving the loop early stops the statement.
   */
  readonly batches: AsyncIterable<Uint8Array>;
  /** The rows of all batches, if the engine has them already. Such an answer is sent in one piece. */
  readonly allRows?: Uint8Array | undefined;
  /** Complete after the rows have been read. */
  columns(): readonly Column[];
}

export interface EnginePage {
  readonly table: string;
  readonly limit: number;
  readonly offset: number;
}

/** The work that an engine has at present. */
export interface EngineUsage {
  /** The processes that have a project open, by their ids. */
  readonly processIds: readonly number[];
  readonly maxProcesses: number;
  /** Statements that run, wait for their turn, or have rows that were not read yet. */
  readonly openStatements: number;
}

/** Answers the calls to projects. The handler knows nothing else of an engine. */
export interface Engine {
  readonly description: EngineDescription;
  execute(projectId: string, call: SqlCall): Promise<Outcome>;
  browse(projectId: string, page: EnginePage, signal?: AbortSignal): Promise<RowsOutcome>;
  listTables(projectId: string): Promise<readonly string[]>;
  schema(projectId: string, table: string): Promise<readonly TableColumn[]>;
  /** Why projects can only be read at present; undefined when they can be written to. Without it, they always can. */
  readOnlyReason?(): Promise<string | undefined>;
}
