import { effectOf, type StatementEffect } from '../../sql/effect/statementEffect.ts';
import type { SqlParameter } from '../../wire/values.ts';

/** A statement with its effect on databases. */
export interface AnalyzedStatement {
  readonly sql: string;
  readonly effect: StatementEffect;
}

/** A statement with the values of its parameters. It is ready to be sent. */
export interface BoundStatement extends AnalyzedStatement {
  readonly params: readonly SqlParameter[];
}

export const analyze = (sql: string): AnalyzedStatement => ({ sql, effect: effectOf(sql) });
