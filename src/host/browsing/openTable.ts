import { monotonicClock } from '../../base/clock.ts';
import type { CallOptions, Project } from '../../client/index.ts';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import { BrowseRun } from '../../model/browsing/browseRun.ts';
import type { RowOverlay } from '../../model/browsing/rowOverlay.ts';
import { ServiceWaits } from '../../model/serviceWaits.ts';
import type { BrowseRequest } from '../../model/browsing/browseRequest.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Clients } from '../connections/clients.ts';
import type { Projects } from '../connections/projects.ts';

export interface OpenTableParts {
  readonly projects: Pick<Projects, 'get'>;
  readonly clients: Pick<Clients, 'for'>;
  readonly catalogs: Pick<Catalogs, 'for'>;
  readonly downloadParts: BrowseRequest['downloadParts'];
}

interface OpenTableOptions {
  readonly profile: Profile;
  readonly table: BrowsedTable;
  readonly pageSize: number;
  /** The row whose page is fetched first. */
  readonly start: number;
  readonly overlay: RowOverlay;
}

/** Fetches nothing before the run is started. */
export async function openTable(parts: OpenTableParts, options: OpenTableOptions): Promise<BrowseRun> {
  const { projects, catalogs, downloadParts } = parts;
  const { profile, table, pageSize, start, overlay } = options;
  const { Pager } = await import('../../client/index.ts');
  const waits = new ServiceWaits(monotonicClock);
  const project = currentProject(parts, profile, waits.onWait);
  return new BrowseRun({
    table,
    project,
    downloadParts,
    start,
    pageSize,
    waits,
    overlay,
    clock: monotonicClock,
    pagerAt: range => new Pager({ project, table: table.name, ...range }),
    columns: async () => catalogs.for(await projects.get(profile.id)).freshColumns(table.name),
  });
}

/** A project whose calls use the key and address of the time of the call: a table may stay open for days, and either may change. */
export function currentProject(
  { projects, clients }: Pick<OpenTableParts, 'projects' | 'clients'>,
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
