import type { StatementEffect } from '../sql/statementEffect.ts';
import type { Protection } from '../wire/projectFields.ts';

/** What becomes of a statement before it is sent. */
export type Verdict = 'run' | 'ask' | 'refuse';

/** How a project's protection takes a statement. */
export function verdictOn(protection: Protection, effect: StatementEffect): Verdict {
  if (protection === 'open' || !mayWrite(effect)) return 'run';
  return protection === 'readOnly' ? 'refuse' : 'ask';
}

/** Whatever is not surely without effect on data, schema and files. What cannot be read writes. */
function mayWrite({ certain, kind, readOnly, dangers }: StatementEffect): boolean {
  return !certain || dangers.length > 0 || (kind !== 'read' && !readOnly);
}
