import { type AgentProject, withUniqueNames } from '../../model/agent/agentProject.ts';
import type { LowerLimits } from '../../model/agent/limits.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Clients } from '../connections/clients.ts';
import { isListed } from '../connections/projectLists.ts';
import type { Projects } from '../connections/projects.ts';
import { settings } from '../names.ts';
import { readMasked, readWritable } from './agentSettings.ts';

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
