import * as vscode from 'vscode';
import type { HistoryFilter } from '../../model/history/historyStore.ts';
import type { Profile } from '../../model/profiles.ts';
import { views } from '../names.ts';
import { withoutIcons } from '../notifications.ts';
import type { HistoryTree } from './historyTree.ts';

interface FilterItem extends vscode.QuickPickItem {
  readonly filter: HistoryFilter;
}

const focusView = (): Thenable<unknown> => vscode.commands.executeCommand(`${views.history}.focus`);

/** The view shows what is found while the user types, and until the next search. */
export async function searchHistory(tree: HistoryTree, profiles: readonly Profile[]): Promise<void> {
  await focusView();
  const input = vscode.window.createInputBox();
  let filters: readonly FilterItem[] = [];
  let isFiltering = false;
  input.title = vscode.l10n.t('Search History');
  input.placeholder = vscode.l10n.t('Words of the SQL or the error. Without words, the view shows all entries.');
  input.buttons = [{ iconPath: new vscode.ThemeIcon('filter'), tooltip: vscode.l10n.t('Filter…') }];
  const search = (): void => {
    const words = [input.value, ...filters.map(({ label }) => label)].filter(word => word !== '');
    tree.show({ ...joinFilters(filters), text: input.value }, words.join(', '));
  };
  input.onDidChangeValue(search);
  input.onDidTriggerButton(async () => {
    isFiltering = true;
    filters = (await promptForFilters(profiles, filters)) ?? filters;
    isFiltering = false;
    search();
    input.show();
  });
  input.onDidAccept(() => focusView());
  input.onDidHide(() => {
    // The list of filters hides the field for a while.
    if (!isFiltering) input.dispose();
  });
  search();
  input.show();
}

/** Undefined if the user changes nothing. */
async function promptForFilters(
  profiles: readonly Profile[],
  before: readonly FilterItem[],
): Promise<readonly FilterItem[] | undefined> {
  const item = (label: string, filter: HistoryFilter): FilterItem => ({
    label,
    filter,
    picked: before.some(other => other.label === label),
  });
  const items: FilterItem[] = [
    item(vscode.l10n.t('failed'), { isFailed: true }),
    item(vscode.l10n.t('writes'), { isWrite: true }),
    item(vscode.l10n.t('agents'), { isAgent: true }),
    { label: vscode.l10n.t('Projects'), kind: vscode.QuickPickItemKind.Separator, filter: {} },
    ...profiles.map(({ id, name }) => item(withoutIcons(name), { profileIds: [id] })),
  ];
  return vscode.window.showQuickPick(items, { title: vscode.l10n.t('Show Only'), canPickMany: true });
}

/** An entry is of one of the projects, and passes all other filters. */
function joinFilters(items: readonly FilterItem[]): HistoryFilter {
  const profileIds = items.flatMap(({ filter }) => filter.profileIds ?? []);
  const joined: HistoryFilter = {};
  for (const { filter } of items) Object.assign(joined, filter);
  return profileIds.length === 0 ? joined : { ...joined, profileIds };
}
