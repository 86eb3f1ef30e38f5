import * as vscode from 'vscode';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import type { Profile } from '../../model/profiles.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import type { TableEditors } from '../browsing/tableEditors.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import { withoutIcons } from '../notifications.ts';
import { offerRemedy } from '../remedies.ts';
import { type ProjectArgument, resolveProject } from './projectArgument.ts';

const queryRowLimit = 100;

/** Opens an SQL editor for a project. Of a table, the editor has a SELECT of its first rows. */
export async function newQuery(
  projects: Projects,
  documents: DocumentProjects,
  argument: ProjectArgument,
): Promise<void> {
  const profile = await resolveProject(projects, argument);
  if (!profile) return;
  const table = tableOf(argument);
  const content = table ? `SELECT * FROM ${quoteIdentifier(table.name)} LIMIT ${queryRowLimit};\n` : '';
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
  await documents.assign(document.uri, profile);
  await vscode.window.showTextDocument(document);
}

export interface BrowseTableParts {
  readonly projects: Projects;
  readonly catalogs: Catalogs;
  readonly tables: () => Promise<TableEditors>;
}

/** Shows the rows of a table in an editor, page by page. From the command palette, the user chooses project and table. */
export async function browseTable(parts: BrowseTableParts, argument: ProjectArgument): Promise<void> {
  const { projects, catalogs, tables } = parts;
  const profile = await resolveProject(projects, argument);
  if (!profile) return;
  try {
    const table = tableOf(argument) ?? (await promptForTable(catalogs, profile));
    if (table) await (await tables()).open(profile, table);
  } catch (thrown) {
    await offerRemedy(thrown, profile);
  }
}

function tableOf(argument: ProjectArgument): BrowsedTable | undefined {
  if (typeof argument !== 'object' || (argument.kind !== 'table' && argument.kind !== 'view')) return undefined;
  const { name, kind } = argument;
  return { name, kind };
}

async function promptForTable(catalogs: Catalogs, profile: Profile): Promise<BrowsedTable | undefined> {
  const catalog = catalogs.for(profile);
  const [tables, views = []] = await Promise.all([catalog.tables(), catalog.views()]);
  const items = [
    ...tables.map(name => ({ label: `$(table) ${withoutIcons(name)}`, table: { name, kind: 'table' as const } })),
    ...views.map(name => ({ label: `$(eye) ${withoutIcons(name)}`, table: { name, kind: 'view' as const } })),
  ];
  const title = vscode.l10n.t('Choose a table of {0}', profile.name);
  return (await vscode.window.showQuickPick(items, { title }))?.table;
}
