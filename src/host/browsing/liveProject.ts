import type { CallOptions, Project } from '../../client/index.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Clients } from '../connections/clients.ts';
import type { Projects } from '../connections/projects.ts';

/** The calls of a project that a browsed table needs. */
export type LiveProject = Pick<Project, 'sql' | 'query' | 'stream' | 'browse'>;

/**
 * A project as it is at the time of each call, by the key and the address that it has then: a table stays open for days,
 * and either may change meanwhile. `onWait` hears of the waits of its calls.
 */
export function liveProject(
  { projects, clients }: { readonly projects: Projects; readonly clients: Clients },
  { id }: Pick<Profile, 'id'>,
  onWait: NonNullable<CallOptions['onWait']>,
): LiveProject {
  const open = async (): Promise<Project> => {
    const profile = await projects.get(id);
    return (await clients.for(profile)).project(profile.projectId);
  };
  return {
    sql: async (sql, params, options) => (await open()).sql(sql, params, { ...options, onWait }),
    query: async (sql, params, given) => {
      const options = typeof given === 'function' ? { decode: given } : given;
      return (await open()).query(sql, params, { ...options, onWait });
    },
    stream: async (sql, params, options) => (await open()).stream(sql, params, { ...options, onWait }),
    browse: async (table, options) => (await open()).browse(table, { ...options, onWait }),
  };
}
