import type { CallOptions, Project } from '../../client/index.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Clients } from '../connections/clients.ts';
import type { Projects } from '../connections/projects.ts';

/** A project whose calls use the key and address of the time of the call: a table may stay open for days, and either may change. */
export function currentProject(
  { projects, clients }: { readonly projects: Pick<Projects, 'get'>; readonly clients: Pick<Clients, 'for'> },
  { id }: Pick<Profile, 'id'>,
  onWait?: CallOptions['onWait'],
): Pick<Project, 'sql' | 'query' | 'stream' | 'browse'> {
  const open = async (): Promise<Project> => {
    const profile = await projects.get(id);
    return (await clients.for(profile)).project(profile.projectId);
  };
  const watched = <O extends CallOptions>(options: O | undefined): O => ({
    ...(options as O),
    onWait: wait => {
      onWait?.(wait);
      options?.onWait?.(wait);
    },
  });
  return {
    sql: async (sql, params, options) => (await open()).sql(sql, params, watched(options)),
    query: async (sql, params, decodeOrOptions) => {
      const options = typeof decodeOrOptions === 'function' ? { decode: decodeOrOptions } : decodeOrOptions;
      return (await open()).query(sql, params, watched(options));
    },
    stream: async (sql, params, options) => (await open()).stream(sql, params, watched(options)),
    browse: async (table, options) => (await open()).browse(table, watched(options)),
  };
}
