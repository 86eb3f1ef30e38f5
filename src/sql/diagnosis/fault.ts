import type { TextRange } from '../text/textRange.ts';

/** Stable codes for settings and tests. Messages may change. */
export type FaultCode =
  | 'syntax_error'
  | 'unrecognized_token'
  | 'incomplete_statement'
  | 'unknown_table'
  | 'unknown_column'
  | 'unknown_function'
  | 'unknown_name'
  | 'ambiguous_column'
  | 'wrong_argument_count'
  | 'wrong_value_count'
  | 'misused_aggregate'
  | 'name_taken'
  | 'refused'
  | 'parameter_not_positional'
  | 'not_checked';

/**
 * SQLite refuses an error. A warning is refused by the service, or by SQLite when a view is used. An information concerns the
 * check itself, or a CREATE of an existing object.
 */
export type FaultSeverity = 'error' | 'warning' | 'information';

export interface Fault extends TextRange {
  /** In SQLite's words. `readableError` makes a text for people from it. */
  readonly message: string;
  /** A sentence that says what may help. */
  readonly hint?: string;
  readonly code: FaultCode;
  readonly severity: FaultSeverity;
}
