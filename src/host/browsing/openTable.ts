import * as vscode from 'vscode';
import { monotonicClock } from '../../base/clock.ts';
import { asCount } from '../../base/shape.ts';
import { BrowseRun } from '../../model/browsing/browseRun.ts';
import { ServiceWaits } from '../../model/browsing/serviceWaits.ts';
import type { DownloadStorage } from '../../model/browsing/tableDownload.ts';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
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
  readonly downloads: DownloadStorage;
}

const usualPageSize = 500;
/** What the service gives at most. */
const mostPageSize = 10_000;

/** The rows of a table, which nobody has asked for yet. */
export async function openTable(
  { projects, clients, catalogs, downloads }: OpenTableParts,
  profile: Profile,
  table: BrowsedTable,
  start = 0,
): Promise<BrowseRun> {
  const { Pager } = await import('../../client/index.ts');
  const waits = new ServiceWaits(monotonicClock);
  const project = liveProject({ projects, clients }, profile, waits.onWait);
  return new BrowseRun({
    table,
    project,
    downloads,
    start,
    pageSize: pageSize(),
    waits,
    clock: monotonicClock,
    pagerAt: range => new Pager({ project, table: table.name, ...range }),
    // Like all that is asked for the table, of the project as it is by then.
    columns: async () => catalogs.for(await projects.get(profile.id)).freshColumns(table.name),
  });
}

function pageSize(): number {
  const asked = asCount(vscode.workspace.getConfiguration().get(settings.browsePageSize)) || usualPageSize;
  return Math.min(asked, mostPageSize);
}
