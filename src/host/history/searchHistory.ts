import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { messageOf } from '../../base/errors.ts';
import type { HistoryEntry, HistoryFilter } from '../../model/history/historyEntry.ts';
import { withoutIcons } from '../notifications.ts';
import type { History } from './history.ts';
import type { HistoryAction, HistoryActions } from './historyActions.ts';
import { historyFacts, historyIcon, historyLabel, historyMoment } from './historyItems.ts';

interface EntryItem extends vscode.QuickPickItem {
  readonly entry?: HistoryEntry;
}

interface ActionButton extends vscode.QuickInputButton {
  readonly action: HistoryAction;
}

interface FilterButton extends vscode.QuickInputButton {
  readonly change: (filter: HistoryFilter) => HistoryFilter | Promise<HistoryFilter>;
}

const maxFound = 200;
const typingDelayMs = 60;

const icon = (name: string): vscode.ThemeIcon => new vscode.ThemeIcon(name);

/** Finds entries of all windows while the user types. Enter opens an entry; the buttons of an item do more. */
export function searchHistory(history: History, actions: HistoryActions): void {
  const pick = vscode.window.createQuickPick<EntryItem>();
  let filter: HistoryFilter = {};
  let searchNumber = 0;
  pick.matchOnDescription = false;
  pick.keepScrollPosition = true;
  pick.placeholder = vscode.l10n.t('Words of the SQL or the error. Enter opens the entry in an editor.');
  const search = async (): Promise<void> => {
    const number = ++searchNumber;
    const found = await history.thread
      .call('page', { count: maxFound, filter: { ...filter, text: pick.value } })
      .then(entries => entries.map(itemOf))
      .catch((thrown: unknown): EntryItem[] => [{ label: messageOf(thrown), alwaysShow: true }]);
    if (number === searchNumber) pick.items = found;
    pick.busy = false;
  };
  const searching = new Debouncer({ run: () => void search(), delayMs: typingDelayMs });
  const show = (): void => {
    pick.title = titleOf(filter);
    pick.buttons = filterButtons(filter, history);
    pick.busy = true;
    void search();
  };
  pick.onDidChangeValue(() => {
    pick.busy = true;
    searching.schedule();
  });
  pick.onDidTriggerButton(async button => {
    const asksUser = pick.ignoreFocusOut;
    pick.ignoreFocusOut = true;
    filter = await (button as FilterButton).change(filter);
    pick.ignoreFocusOut = asksUser;
    show();
    pick.show();
  });
  pick.onDidTriggerItemButton(async ({ item: { entry }, button }) => {
    const { action } = button as ActionButton;
    if (!entry) return;
    if (action !== 'copy' && action !== 'remove') pick.hide();
    await actions.act(action, entry);
    if (action === 'remove') void search();
  });
  pick.onDidAccept(() => {
    const [{ entry } = {}] = pick.selectedItems;
    pick.hide();
    if (entry) void actions.act('open', entry);
  });
  pick.onDidHide(() => {
    // A question about the project hides the list for a while.
    if (pick.ignoreFocusOut) return;
    searching.dispose();
    pick.dispose();
  });
  show();
  pick.show();
}

const actionButton = (action: HistoryAction, name: string, tooltip: string): ActionButton => ({
  action,
  iconPath: icon(name),
  tooltip,
});

/** Each item is shown whatever VS Code would find in its label: the search looks into the whole SQL. */
function itemOf(entry: HistoryEntry): EntryItem {
  return {
    entry,
    label: historyLabel(entry),
    description: historyMoment(entry),
    detail: historyFacts(entry),
    iconPath: historyIcon(entry),
    alwaysShow: true,
    buttons: [
      actionButton('run', 'play', vscode.l10n.t('Rerun')),
      ...(entry.hasRows
        ? [
            actionButton('showRows', 'table', vscode.l10n.t('Show Rows')),
            actionButton('compare', 'diff', vscode.l10n.t('Compare Rows With…')),
          ]
        : []),
      actionButton('save', 'save', vscode.l10n.t('Save Query…')),
      actionButton('copy', 'copy', vscode.l10n.t('Copy SQL')),
      actionButton('remove', 'trash', vscode.l10n.t('Delete')),
    ],
  };
}

function titleOf({ profileId, isFailed, isWrite, isAgent }: HistoryFilter): string {
  const parts = [
    profileId === undefined ? '' : vscode.l10n.t('one project'),
    isFailed ? vscode.l10n.t('failed') : '',
    isWrite ? vscode.l10n.t('writes') : '',
    isAgent ? vscode.l10n.t('agents') : '',
  ].filter(part => part !== '');
  const title = vscode.l10n.t('Search History');
  return parts.length === 0 ? title : vscode.l10n.t('{0} ({1})', title, parts.join(', '));
}

function filterButtons({ profileId, isFailed, isWrite, isAgent }: HistoryFilter, history: History): FilterButton[] {
  const toggle = (isOn: boolean | undefined, name: string, on: string, off: string, field: keyof HistoryFilter) => ({
    iconPath: icon(isOn ? 'filter-filled' : name),
    tooltip: isOn ? off : on,
    change: (filter: HistoryFilter) => ({ ...filter, [field]: !isOn }),
  });
  const all = vscode.l10n.t('Show All');
  return [
    {
      iconPath: icon(profileId === undefined ? 'database' : 'filter-filled'),
      tooltip: profileId === undefined ? vscode.l10n.t('Choose Project…') : vscode.l10n.t('Show All Projects'),
      change: async filter => ({
        ...filter,
        profileId: profileId === undefined ? await chooseProject(history) : undefined,
      }),
    },
    toggle(isFailed, 'error', vscode.l10n.t('Show Only Failed'), all, 'isFailed'),
    toggle(isWrite, 'edit', vscode.l10n.t('Show Only Writes'), all, 'isWrite'),
    toggle(isAgent, 'hubot', vscode.l10n.t('Show Only AI Agents'), all, 'isAgent'),
  ];
}

async function chooseProject(history: History): Promise<string | undefined> {
  const projects = await history.thread.call('projects', {});
  const items = projects.map(({ profileId, project }) => ({ label: withoutIcons(project), profileId }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Project') }))?.profileId;
}
