import type { StatementEffect } from '../sql/effect/statementEffect.ts';
import type { Protection } from '../protocol/projectFields.ts';

/** What becomes of a statement before it is sent. */
export type Verdict = 'run' | 'ask' | 'refuse';

/** How a project's protection takes a statement. */
export function verdictOn(protection: Protection, effect: StatementEffect): Verdict {
  if (protection === 'open' || !mayWrite(effect)) return 'run';
  return protection === 'readOnly' ? 'refuse' : 'ask';
}

/** Whatever is not surely without effect on data, schema and files. An uncertain effect is a write by its kind. */
function mayWrite({ kind, readOnly, dangers }: StatementEffect): boolean {
  return dangers.length > 0 || (kind !== 'read' && !readOnly);
}
