import { effectOf, type StatementEffect } from '../../sql/effect/statementEffect.ts';
import type { SqlParameter } from '../../wire/values.ts';

/** A statement with its values and with what it does: all that has to be known before it may be sent. */
export interface JudgedStatement {
  readonly sql: string;
  readonly params: readonly SqlParameter[];
  readonly effect: StatementEffect;
}

export const judge = (sql: string, params: readonly SqlParameter[] = []): JudgedStatement => ({
  sql,
  params,
  effect: effectOf(sql),
});
