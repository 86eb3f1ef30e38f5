import { asNumber, asRecord } from '../../base/decode.ts';
import {
  type AgentLimits,
  limitNames,
  limitsWithDefaults,
  type LowerLimits,
  lowestLimits,
} from '../../model/agent/limits.ts';
import { type AgentProject, withUniqueNames } from '../../model/agent/agentProject.ts';
import type { Profile } from '../../model/profiles.ts';
import { settings } from '../names.ts';
import { scopesOf, textsIn, unitedTexts, isListed } from '../connections/settingLists.ts';
import type { Clients } from '../connections/clients.ts';
import type { Projects } from '../connections/projects.ts';

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

export async function listAgentProjects(projects: Projects, clients: Clients): Promise<readonly AgentProject[]> {
  const masked = readMasked();
  const writable = readWritable();
  const { profiles } = await projects.list();
  const visible = profiles.filter(profile => !isListed(settings.agentsHidden, profile));
  return withUniqueNames(
    visible.map(profile => ({
      id: profile.id,
      name: profile.name,
      protection: profile.protection,
      isWritingEnabled: isWritable(profile, writable),
      masked,
      limits: limitsOf(profile),
      // `true`: without a key, the agent gets an error, and the user gets no question.
      open: async () => (await clients.for(profile, true)).project(profile.projectId),
    })),
  );
}

/** Whether the user's setting names the project. A project of a workspace counts by its id only: it could take any name. */
export function isWritable({ id, name, scope }: Profile, writable: ReadonlySet<string>): boolean {
  return writable.has(id) || (scope !== 'workspace' && writable.has(name));
}

/** The limits of a profile, which can only lower those of a call. */
export const limitsOf = ({ maxRows, maxBytesMb: maxMegabytes }: Profile): LowerLimits => ({
  call: {
    ...(maxRows !== undefined && { rows: maxRows }),
    ...(maxMegabytes !== undefined && { bytes: maxMegabytes * 1024 * 1024 }),
  },
});
