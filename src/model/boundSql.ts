import type { SqlParameter } from '../wire/values.ts';

/** SQL with the values of its placeholders: a statement, or a part of one. */
export interface BoundSql {
  readonly sql: string;
  readonly params: readonly SqlParameter[];
}
