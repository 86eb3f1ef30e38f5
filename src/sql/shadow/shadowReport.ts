/** A column of a result. Table, column and type are known if its values are those of a table's column. */
export interface ResultColumn {
  readonly name: string;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly declaredType: string | undefined;
}

/** One access of a statement to its schema, as SQLite's authorizer reports it. */
export interface ShadowUse {
  readonly action: 'read' | 'call' | 'other';
  /** The name of the table, the function or the schema object. */
  readonly name: string;
  /** The column of a read. */
  readonly column: string | undefined;
  /** The trigger or view that makes the access. Undefined if the statement makes it itself. */
  readonly through: string | undefined;
}

export interface ShadowProblem {
  readonly message: string;
  /** UTF-16 offsets within the statement. */
  readonly start: number;
  readonly end: number;
}

/**
 * - `prepared`: SQLite accepts the statement, except for unknown functions in `problems`.
 * - `refused`: SQLite refuses it. The first problem other than an unknown function says why.
 * - `skipped`: not checked, because SQLite may execute it while it prepares it (PRAGMA), or because the schema is disposed.
 * - `uncertain`: not checked, because it depends on an object whose columns are unknown.
 * - `tooLarge`: not checked, because it is larger than handwritten SQL.
 * - `limitExceeded`: the check took too long or too much memory, now or earlier.
 */
export type ShadowOutcome = 'prepared' | 'refused' | 'skipped' | 'uncertain' | 'tooLarge' | 'limitExceeded';

export interface ShadowReport {
  readonly outcome: ShadowOutcome;
  readonly problems: readonly ShadowProblem[];
  readonly columns: readonly ResultColumn[];
  /** sqlite3_stmt_readonly(). Undefined if the statement was not prepared. */
  readonly readOnly: boolean | undefined;
  readonly uses: readonly ShadowUse[];
  /** The report holds as long as these names stand for the same objects. Undefined if they are unknown. */
  readonly dependsOn?: ReadonlySet<string>;
}

export const emptyReport: ShadowReport = {
  outcome: 'skipped',
  problems: [],
  columns: [],
  readOnly: undefined,
  uses: [],
};
