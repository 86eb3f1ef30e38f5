import { asNumber, asRecord } from '../../base/decode.ts';
import {
  type AgentLimits,
  limitNames,
  limitsWithDefaults,
  type LowerLimits,
  lowestLimits,
} from '../../model/agent/limits.ts';
import { settings } from '../names.ts';
import { scopesOf, textsIn, unitedTexts } from '../connections/settingScopes.ts';

/** The columns that no agent may see. */
export const readMasked = (): readonly string[] => [...unitedTexts(settings.agentsMasked)];

/** The names and ids of projects that agents may write to. Only the user's own settings count. */
export function readWritable(): ReadonlySet<string> {
  return new Set(textsIn(scopesOf(settings.agentsWritable).user));
}

/** The user's limits, or the defaults. A workspace can only lower them. */
export function readLimits(): AgentLimits {
  const { user, others } = scopesOf(settings.agentsLimits);
  return lowestLimits(limitsWithDefaults(decodeLimits(user)), ...others.map(decodeLimits));
}

/** Reads limits of a call (`rows`) and of a session (`sessionRows`). All values but positive numbers are ignored. */
function decodeLimits(setting: unknown): LowerLimits {
  const record = asRecord(setting) ?? {};
  const limitsOf = (keyOf: (name: string) => string): Record<string, number> =>
    Object.fromEntries(
      limitNames.flatMap(name => {
        const limit = asNumber(record[keyOf(name)]);
        return limit !== undefined && limit > 0 ? [[name, limit]] : [];
      }),
    );
  return {
    call: limitsOf(name => name),
    session: limitsOf(name => `session${name.slice(0, 1).toUpperCase()}${name.slice(1)}`),
  };
}
