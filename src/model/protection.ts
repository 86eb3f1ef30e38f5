import { mayWrite, type StatementEffect } from '../sql/effect/statementEffect.ts';
import type { Protection } from '../protocol/projectFields.ts';

type ProtectionAction = 'run' | 'confirm' | 'refuse';

/** Decides on a statement by its effect and by the protection of its project. */
export function protectionAction(protection: Protection, effect: StatementEffect): ProtectionAction {
  if (protection === 'open' || !mayWrite(effect)) return 'run';
  return protection === 'readOnly' ? 'refuse' : 'confirm';
}
