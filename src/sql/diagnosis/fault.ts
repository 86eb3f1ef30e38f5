/** Stable names of what can be wrong with a statement, for settings and tests; messages may change. */
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
  | 'name_taken'
  | 'refused'
  | 'parameter_not_positional'
  | 'not_checked';

/** An error will be refused, a warning is SQL that this service does not take, information is about the check itself. */
export type FaultSeverity = 'error' | 'warning' | 'information';

export interface Fault {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly code: FaultCode;
  readonly severity: FaultSeverity;
}
