import { mayWrite, type StatementEffect } from '../sql/effect/statementEffect.ts';
import type { Protection } from '../protocol/projectFields.ts';

/** What becomes of a statement before it is sent. */
export type Verdict = 'run' | 'ask' | 'refuse';

/** How a project's protection takes a statement. */
export function verdictOn(protection: Protection, effect: StatementEffect): Verdict {
  if (protection === 'open' || !mayWrite(effect)) return 'run';
  return protection === 'readOnly' ? 'refuse' : 'ask';
}
