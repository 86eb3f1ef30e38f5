/** A column of a result. Origin and type are known where it is a column of a table, by whatever name. */
export interface ResultColumn {
  readonly name: string;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly declaredType: string | undefined;
}

/** One thing that a statement reads, writes or changes. */
export interface ShadowUse {
  readonly action: 'read' | 'insert' | 'update' | 'delete' | 'call' | 'schema' | 'other';
  /** The table, or the name of the function or of the object of the schema. */
  readonly name: string;
  /** The column that is read or updated. */
  readonly column: string | undefined;
  /** The trigger or view through which it happens, when the statement does not name it itself. */
  readonly through: string | undefined;
}

export interface ShadowProblem {
  /** SQLite's own words. */
  readonly message: string;
  /** UTF-16 offsets within the statement. */
  readonly start: number;
  readonly end: number;
}

/**
 * - `prepared`: SQLite takes the statement, apart from what `problems` says of unknown functions.
 * - `refused`: it does not, and the last problem says why.
 * - `skipped`: not looked at, since preparing it could already act (PRAGMA), or since the schema is no longer in use.
 * - `uncertain`: not looked at, since it is about something of which nobody knows what it is like.
 * - `tooLarge`: not looked at, since nobody wrote it by hand.
 * - `cutOff`: looked at for too long or with too much memory, now or before.
 */
export type ShadowOutcome = 'prepared' | 'refused' | 'skipped' | 'uncertain' | 'tooLarge' | 'cutOff';

export interface ShadowReport {
  readonly outcome: ShadowOutcome;
  readonly problems: readonly ShadowProblem[];
  readonly columns: readonly ResultColumn[];
  readonly parameterCount: number;
  /** SQLite's own word, undefined when it had none. */
  readonly readOnly: boolean | undefined;
  readonly uses: readonly ShadowUse[];
  /** The names on which all of this depends: as long as they stand for the same, it holds. Undefined when that is not known. */
  readonly dependsOn?: ReadonlySet<string>;
}

export const emptyReport: ShadowReport = {
  outcome: 'skipped',
  problems: [],
  columns: [],
  parameterCount: 0,
  readOnly: undefined,
  uses: [],
};
