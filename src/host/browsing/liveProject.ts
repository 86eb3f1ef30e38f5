import type { Project } from '../../client/index.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Clients } from '../connections/clients.ts';
import type { Projects } from '../connections/projects.ts';

/** The calls of a project that a browsed table needs. */
export type LiveProject = Pick<Project, 'sql' | 'query' | 'stream' | 'browse'>;

/**
 * A project as it is at the time of each call, by the key and the address that it has then: a table stays open for days,
 * and either may change meanwhile.
 */
export function liveProject(projects: Projects, clients: Clients, { id }: Pick<Profile, 'id'>): LiveProject {
  const open = async (): Promise<Project> => {
    const profile = await projects.get(id);
    return (await clients.for(profile)).project(profile.projectId);
  };
  return {
    sql: async (...call) => (await open()).sql(...call),
    query: async (sql, params, decode) => (await open()).query(sql, params, decode),
    stream: async (...call) => (await open()).stream(...call),
    browse: async (...call) => (await open()).browse(...call),
  };
}
