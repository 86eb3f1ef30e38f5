import * as vscode from 'vscode';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import type { Profile } from '../../model/profiles.ts';
import type { TableEditors } from '../browsing/tableEditors.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Projects } from '../connections/projects.ts';
import { withoutIcons } from '../notifications.ts';
import { type ProjectArgument, resolveProject } from './keyCommands.ts';
import { offerRemedy } from '../remedies.ts';

export interface BrowseTableParts {
  readonly projects: Projects;
  readonly catalogs: Catalogs;
  readonly tables: () => Promise<TableEditors>;
}

/** Shows the rows of a table in an editor, page by page. From the palette the project and the table are asked for. */
export async function browseTable(parts: BrowseTableParts, argument: ProjectArgument): Promise<void> {
  const { projects, catalogs, tables } = parts;
  const profile = await resolveProject(projects, argument);
  if (!profile) return;
  try {
    const isObject = typeof argument === 'object' && (argument.kind === 'table' || argument.kind === 'view');
    const table = isObject ? { name: argument.name, kind: argument.kind } : await pickTable(catalogs, profile);
    if (table) await (await tables()).open(profile, table);
  } catch (thrown) {
    await offerRemedy(thrown, profile);
  }
}

async function pickTable(catalogs: Catalogs, profile: Profile): Promise<BrowsedTable | undefined> {
  const catalog = catalogs.for(profile);
  const [tables, views = []] = await Promise.all([catalog.tables(), catalog.views()]);
  const items = [
    ...tables.map(name => ({ label: `$(table) ${withoutIcons(name)}`, table: { name, kind: 'table' as const } })),
    ...views.map(name => ({ label: `$(eye) ${withoutIcons(name)}`, table: { name, kind: 'view' as const } })),
  ];
  const title = vscode.l10n.t('Choose a table of {0}', profile.name);
  return (await vscode.window.showQuickPick(items, { title }))?.table;
}
