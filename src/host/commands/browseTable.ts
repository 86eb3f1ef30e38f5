import * as vscode from 'vscode';
import { asCount } from '../../base/shape.ts';
import { BrowseRun } from '../../model/results/browseRun.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Clients } from '../connections/clients.ts';
import type { Projects } from '../connections/projects.ts';
import { settings } from '../names.ts';
import { withoutIcons } from '../notifications.ts';
import type { ResultsView } from '../results/resultsView.ts';
import { type ProjectArgument, resolveProject } from './keyCommands.ts';
import { offerRemedy } from './offerRemedy.ts';

export interface BrowseTableParts {
  readonly projects: Projects;
  readonly clients: Clients;
  readonly catalogs: Catalogs;
  readonly results: ResultsView;
}

const usualPageSize = 500;
/** What the service gives at most. */
const mostPageSize = 10_000;

/** Shows the rows of a table in the grid, page by page. From the palette the project and the table are asked for. */
export async function browseTable(parts: BrowseTableParts, argument: ProjectArgument): Promise<void> {
  const { projects, clients, catalogs, results } = parts;
  const profile = await resolveProject(projects, argument);
  if (!profile) return;
  try {
    const isTable = typeof argument === 'object' && (argument.kind === 'table' || argument.kind === 'view');
    const table = isTable ? argument.name : await pickTable(catalogs, profile);
    if (table === undefined) return;
    const project = (await clients.for(profile)).project(profile.projectId);
    const { Pager } = await import('../../client/index.ts');
    const pager = new Pager({ project, table, limit: pageSize() });
    await results.show(new BrowseRun({ project, pager, now: () => performance.now() }), { profile, statement: table });
  } catch (thrown) {
    await offerRemedy(thrown, profile.id);
  }
}

async function pickTable(catalogs: Catalogs, profile: Profile): Promise<string | undefined> {
  const catalog = catalogs.for(profile);
  const [tables, views = []] = await Promise.all([catalog.tables(), catalog.views()]);
  const items = [
    ...tables.map(table => ({ label: `$(table) ${withoutIcons(table)}`, table })),
    ...views.map(table => ({ label: `$(eye) ${withoutIcons(table)}`, table })),
  ];
  const title = vscode.l10n.t('Choose a table of {0}', profile.name);
  return (await vscode.window.showQuickPick(items, { title }))?.table;
}

function pageSize(): number {
  const asked = asCount(vscode.workspace.getConfiguration().get(settings.browsePageSize)) || usualPageSize;
  return Math.min(asked, mostPageSize);
}
