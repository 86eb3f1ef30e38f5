import * as vscode from 'vscode';
import { type Clock, monotonicClock } from '../../base/clock.ts';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import type { Profile } from '../../model/profiles.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import type { OpenEditorOptions } from '../browsing/tableEditors.ts';
import type { Catalogs, Projects } from '../connections/projects.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import type { WindowParts } from '../composition.ts';
import { showInformation, withoutIcons } from '../notifications.ts';
import { tableIcon } from '../projectAppearance.ts';
import { orRemedy } from '../remedies.ts';
import type { Running } from '../running/running.ts';
import { idOf, type TreeNode } from '../tree/treeNodes.ts';
import { type ProjectArgument, projectOfArgument } from './projectArgument.ts';

const queryRowLimit = 100;

/** Opens an SQL editor for a project. For a table, the editor has a SELECT of its first rows. */
export async function newQuery(
  projects: Projects,
  documents: DocumentProjects,
  argument: ProjectArgument,
): Promise<void> {
  const profile = await projectOfArgument(projects, argument);
  if (!profile) return;
  const table = tableOf(argument);
  const content = table ? `SELECT * FROM ${quoteIdentifier(table.name)} LIMIT ${queryRowLimit};\n` : '';
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
  await documents.assign(document.uri, profile);
  await vscode.window.showTextDocument(document);
}

export type BrowseTableParts = Pick<WindowParts, 'projects' | 'catalogs' | 'tables'>;

/** Shows the rows of a table in an editor, page by page. From the command palette, the user chooses project and table. */
export async function browseTable(
  parts: BrowseTableParts,
  argument: ProjectArgument,
  options: OpenEditorOptions = {},
): Promise<void> {
  const { projects, catalogs, tables } = parts;
  const profile = await projectOfArgument(projects, argument);
  if (!profile) return;
  await orRemedy(profile, async () => {
    const title = vscode.l10n.t('Browse Table of {0}', profile.name);
    const table = tableOf(argument) ?? (await promptForTable(catalogs, profile, { title, hasViews: true }));
    if (table) await (await tables()).open(profile, table, options);
  });
}

/** Writes the rows of the selected tables to files. From the command palette, the user chooses project and table. */
export async function exportTables(
  { projects, catalogs, running }: Omit<BrowseTableParts, 'tables'> & { readonly running: () => Promise<Running> },
  argument: ProjectArgument,
  selected: readonly TreeNode[] = [],
): Promise<void> {
  const nodes = selected.flatMap(node => (node.kind === 'table' || node.kind === 'view' ? [node] : []));
  if (nodes.length > 1) return (await running()).exportTables(nodes);
  const profile = await projectOfArgument(projects, argument);
  if (!profile) return;
  await orRemedy(profile, async () => {
    const title = vscode.l10n.t('Export Table of {0}', profile.name);
    const table = tableOf(argument) ?? (await promptForTable(catalogs, profile, { title, hasViews: true }));
    if (table) await (await running()).exportTables([{ ...table, profile }]);
  });
}

/** A second click within this time is a double click. */
const doubleClickMs = 500;

/** Opens a table that was clicked in the tree, as VS Code opens files: one click previews it, a double click keeps it open. */
export function tableClicks(
  clock: Clock = monotonicClock,
): (parts: BrowseTableParts, argument: ProjectArgument) => Promise<void> {
  let last: { readonly id: string; readonly at: number } | undefined;
  return async (parts, argument) => {
    if (typeof argument !== 'object' || !tableOf(argument) || argument.kind === 'problem') return;
    const id = idOf(argument);
    const isDouble = last?.id === id && clock.now() - last.at < doubleClickMs;
    last = isDouble ? undefined : { id, at: clock.now() };
    await browseTable(parts, argument, { isPreview: !isDouble });
  };
}

function tableOf(argument: ProjectArgument): BrowsedTable | undefined {
  if (typeof argument !== 'object' || (argument.kind !== 'table' && argument.kind !== 'view')) return undefined;
  const { name, kind } = argument;
  return { name, kind };
}

/** The name of the argument's table, or of one that the user chooses. Undefined when the user cancels. */
export async function tableNameFor(
  catalogs: Pick<Catalogs, 'for'>,
  profile: Profile,
  argument: ProjectArgument,
  title: string,
): Promise<string | undefined> {
  if (typeof argument === 'object' && argument.kind === 'table') return argument.name;
  return (await promptForTable(catalogs, profile, { title }))?.name;
}

/** Asks for a table of a project, or takes the only one. Undefined when the user cancels. */
export async function promptForTable(
  catalogs: Pick<Catalogs, 'for'>,
  profile: Profile,
  { title, hasViews = false }: { readonly title: string; readonly hasViews?: boolean },
): Promise<BrowsedTable | undefined> {
  const items = await tableItems(catalogs, profile, hasViews);
  if (items.length <= 1) return items[0]?.table;
  return (await vscode.window.showQuickPick(items, { title }))?.table;
}

/** The tables of a project in a list to choose from. Says so if there are none. */
export async function tableItems(catalogs: Pick<Catalogs, 'for'>, profile: Profile, hasViews: boolean) {
  const catalog = catalogs.for(profile);
  const [tables, views = []] = await Promise.all([catalog.tables(), hasViews ? catalog.views() : []]);
  const choices: BrowsedTable[] = [
    ...tables.map(name => ({ name, kind: 'table' as const })),
    ...views.map(name => ({ name, kind: 'view' as const })),
  ];
  if (choices.length === 0) void showInformation(vscode.l10n.t("'{0}' has no tables.", profile.name));
  return choices.map(table => ({ label: withoutIcons(table.name), iconPath: tableIcon(table.kind), table }));
}
