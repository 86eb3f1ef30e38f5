import { mayWrite, type StatementEffect } from '../sql/effect/statementEffect.ts';
import type { Protection } from '../protocol/projectFields.ts';

export type ProtectionAction = 'run' | 'confirm' | 'refuse';

/** What to do with a statement of this effect in a project with this protection. */
export function protectionAction(protection: Protection, effect: StatementEffect): ProtectionAction {
  if (protection === 'open' || !mayWrite(effect)) return 'run';
  return protection === 'readOnly' ? 'refuse' : 'confirm';
}
