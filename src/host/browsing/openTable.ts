import * as vscode from 'vscode';
import { asCount } from '../../base/shape.ts';
import { BrowseRun } from '../../model/browsing/browseRun.ts';
import type { Spooling } from '../../model/browsing/gatheredRows.ts';
import type { BrowsedTable } from '../../model/browsing/tableKey.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Clients } from '../connections/clients.ts';
import type { Projects } from '../connections/projects.ts';
import { settings } from '../names.ts';
import { liveProject } from './liveProject.ts';

export interface OpenTableParts {
  readonly projects: Projects;
  readonly clients: Clients;
  readonly catalogs: Catalogs;
  readonly spooling: Spooling;
}

const usualPageSize = 500;
/** What the service gives at most. */
const mostPageSize = 10_000;

/** The rows of a table, which nobody has asked for yet. */
export async function openTable(
  { projects, clients, catalogs, spooling }: OpenTableParts,
  profile: Profile,
  table: BrowsedTable,
  start = 0,
): Promise<BrowseRun> {
  const { Pager } = await import('../../client/index.ts');
  const project = liveProject(projects, clients, profile);
  return new BrowseRun({
    ...{ table, project, spooling, start, pageSize: pageSize(), now: () => performance.now() },
    pagerAt: place => new Pager({ project, table: table.name, ...place }),
    columns: async () => catalogs.for(profile).columns(table.name),
  });
}

function pageSize(): number {
  const asked = asCount(vscode.workspace.getConfiguration().get(settings.browsePageSize)) || usualPageSize;
  return Math.min(asked, mostPageSize);
}
