import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Catalogs, Projects } from '../connections/projects.ts';
import { commandId } from '../names.ts';
import { withoutIcons } from '../notifications.ts';
import { tableIcon } from '../projectAppearance.ts';
import { profileOf, type TableNode } from '../tree/treeNodes.ts';
import type { ProjectArgument } from './projectArgument.ts';
import { remedyLabels } from '../../protocol/remedyLabels.ts';
import { offerProjects, remedyCommand, projectErrorMessage } from '../remedies.ts';
import { Debouncer } from '../../base/debouncer.ts';

export interface FindTableParts {
  readonly projects: Pick<Projects, 'list'>;
  readonly catalogs: Pick<Catalogs, 'for'>;
  /** The id of the active editor's project. */
  readonly currentProject: () => Promise<string | undefined>;
  readonly clock: Clock;
  readonly reveal: (node: TableNode) => Promise<void>;
}

interface TableItem extends vscode.QuickPickItem {
  readonly node?: TableNode;
  readonly choose: () => unknown;
}

/** The tables of the current project come first, unless the project is slower than this. */
const maxWaitMs = 500;

/** Finds a table or view by name in all projects. The tree's own Find searches only loaded nodes. */
export async function findTable(parts: FindTableParts, argument: ProjectArgument): Promise<void> {
  const node = typeof argument === 'object' ? profileOf(argument) : undefined;
  const currentId = node?.id ?? (await parts.currentProject());
  const { profiles } = await parts.projects.list();
  if (profiles.length === 0) return offerProjects();
  const current = profiles.find(({ id }) => id === currentId);
  const item = await pickItem(
    parts,
    current ? [current, ...profiles.filter(other => other !== current)] : profiles,
    current,
  );
  await item?.choose();
}

/** Offers the tables of each project as soon as it answers: a slow project delays no other for long. */
async function pickItem(
  parts: FindTableParts,
  profiles: readonly Profile[],
  current: Profile | undefined,
): Promise<TableItem | undefined> {
  const pick = vscode.window.createQuickPick<TableItem>();
  const { promise, resolve } = Promise.withResolvers<TableItem | undefined>();
  pick.title = vscode.l10n.t('Find Table');
  pick.placeholder = vscode.l10n.t('Name of a table or view in any project. Press Enter to open it.');
  pick.matchOnDescription = true;
  pick.busy = true;
  // If Enter races with an update of the list, the selection may be empty.
  pick.onDidAccept(() => pick.selectedItems[0] && resolve(pick.selectedItems[0]));
  pick.onDidHide(() => resolve(undefined));
  pick.onDidTriggerItemButton(({ item: { node } }) => resolve(node && { label: '', choose: () => parts.reveal(node) }));
  pick.show();
  const itemsByProfile = new Map<Profile, readonly TableItem[]>();
  const offered = new Set<Profile>();
  const offer = (): void => {
    // Append later items: VS Code reports the chosen item by its position.
    for (const profile of profiles) if (itemsByProfile.has(profile)) offered.add(profile);
    const items = [...offered].flatMap(profile => itemsByProfile.get(profile)!);
    const [active] = pick.activeItems;
    const formerFirst = pick.items[0];
    // Faults come last, so that Enter opens a table.
    pick.items = [...items.filter(({ node }) => node), ...items.filter(({ node }) => !node)];
    // Keep the item that the user moved to. While the user types, Enter chooses the first match.
    if (active && active !== formerFirst && pick.value === '') pick.activeItems = [active];
  };
  const offerWhenIdle = updateWhenIdle(pick, offer);
  let isWaiting = current !== undefined;
  const onItems = (): void => {
    if (isWaiting || itemsByProfile.size === 0) return;
    if (offered.size === 0) offer();
    else offerWhenIdle();
  };
  const stopWaiting = (): void => {
    isWaiting = false;
    onItems();
  };
  const cancelTimer = parts.clock.after(maxWaitMs, stopWaiting);
  const searches = profiles.map(async profile => {
    itemsByProfile.set(profile, await itemsOf(parts, profile));
    if (profile === current) isWaiting = false;
    onItems();
  });
  void Promise.all(searches).then(() => (pick.busy = false));
  try {
    return await promise;
  } finally {
    cancelTimer();
    pick.dispose();
  }
}

async function itemsOf(parts: FindTableParts, profile: Profile): Promise<TableItem[]> {
  const catalog = parts.catalogs.for(profile);
  try {
    const [tables, views = []] = await Promise.all([catalog.tables(), catalog.views()]);
    const reveal = { iconPath: new vscode.ThemeIcon('list-tree'), tooltip: vscode.l10n.t('Show in Tree') };
    const itemOf = (kind: 'table' | 'view', name: string): TableItem => {
      const node = { kind, profile, name } as const;
      return {
        label: withoutIcons(name),
        description: withoutIcons(profile.name),
        iconPath: tableIcon(kind),
        buttons: [reveal],
        node,
        choose: () => vscode.commands.executeCommand(commandId('browseTable'), node),
      };
    };
    return [...tables.map(name => itemOf('table', name)), ...views.map(name => itemOf('view', name))];
  } catch (thrown) {
    return [faultItem(thrown, profile)];
  }
}

function faultItem(thrown: unknown, profile: Profile): TableItem {
  const retryRemedy = { command: commandId('findTable'), title: remedyLabels().tryAgain, arguments: [] };
  const remedy = remedyCommand(thrown, profile) ?? retryRemedy;
  return {
    label: withoutIcons(profile.name),
    description: remedy.title,
    detail: withoutIcons(projectErrorMessage(thrown, profile)),
    iconPath: new vscode.ThemeIcon('warning'),
    alwaysShow: true,
    choose: () => vscode.commands.executeCommand(remedy.command, ...remedy.arguments),
  };
}

/** The user is idle after this time without a key press or a change of the active item. */
const idleMs = 200;

/**
 * Returns a function that updates the items of a quick pick once the user is idle. VS Code handles a key before the extension
 * learns of it: an update in between would drop the key, or make Enter choose another item.
 */
function updateWhenIdle(pick: vscode.QuickPick<vscode.QuickPickItem>, update: () => void): () => void {
  const debouncer = new Debouncer({ run: update, delayMs: idleMs, restarts: true });
  const restart = (): void => {
    if (debouncer.isPending) debouncer.schedule();
  };
  pick.onDidChangeValue(restart);
  pick.onDidChangeActive(restart);
  pick.onDidHide(() => debouncer.dispose());
  return () => debouncer.schedule();
}
