import type { Run } from '../../model/results/run.ts';
import { effectOf, mayChangeSchema, type StatementEffect } from '../../sql/effect/statementEffect.ts';
import type { SqlParameter } from '../../wire/values.ts';

export interface AnalyzedStatement {
  readonly sql: string;
  readonly effect: StatementEffect;
}

/** A statement with one value for each placeholder. It is sent as its positional text. */
export interface BoundStatement extends AnalyzedStatement {
  readonly params: readonly SqlParameter[];
}

export const analyze = (sql: string): AnalyzedStatement => ({ sql, effect: effectOf(sql) });

/** A statement that our parser cannot read may have, unless the service refused it: most such statements have a typing error. */
export function mayHaveChangedSchema(
  { effect }: AnalyzedStatement,
  { state, writeOutcome }: Pick<Run, 'state' | 'writeOutcome'>,
): boolean {
  const isRefused = state === 'failed' && writeOutcome === undefined;
  return mayChangeSchema(effect) && (effect.certain || !isRefused);
}

/** A message or question lists this many statements and counts the others. */
export const maxListed = 8;
