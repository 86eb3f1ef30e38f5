/** Why a statement is not a read. Programs compare these codes; they do not change. */
type ReadRefusalCode =
  | 'schema_unknown'
  | 'no_statement'
  | 'several_statements'
  | 'statement_too_large'
  | 'syntax_error'
  | 'not_a_read'
  | 'explains_a_write'
  | 'pragma_not_allowed'
  | 'function_not_allowed'
  | 'table_not_allowed'
  | 'refused_by_sqlite'
  | 'not_checked'
  | 'masked';

export interface ReadRefusal {
  readonly kind: 'refused';
  readonly code: ReadRefusalCode;
  /** For the agent: the cause and the remedy. */
  readonly reason: string;
}

export type ReadJudgement =
  | {
      readonly kind: 'read';
      /** The statement to send: the text itself, or the one with masks. Its parameters are the same. */
      readonly sql: string;
      /** The keys of tables and views whose masked columns have a constant in the rows. Empty for the text itself. */
      readonly masked: readonly string[];
    }
  | ReadRefusal;

export const refusal = (code: ReadRefusalCode, reason: string): ReadRefusal => ({ kind: 'refused', code, reason });
