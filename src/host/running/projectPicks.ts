import * as vscode from 'vscode';
import { asArray, asRecord } from '../../base/decode.ts';
import type { Profile } from '../../model/profiles.ts';
import { protectionNote } from '../../protocol/projectFields.ts';
import { changeSetting } from '../changeSetting.ts';
import { settings } from '../names.ts';
import { withoutIcons } from '../notifications.ts';
import { projectIcon } from '../projectAppearance.ts';

interface ProjectGroup {
  readonly name: string;
  readonly profiles: readonly Profile[];
}

interface ProjectItem extends vscode.QuickPickItem {
  /** The projects that a tick of the item chooses: one, or those of a group. */
  readonly profiles?: readonly Profile[];
}

interface Answer {
  readonly kind: 'run' | 'saveGroup';
  readonly chosen: readonly Profile[];
}

/** Lets the user tick projects, and groups of the settings. Undefined if the user chooses none. */
export async function promptForProjects(
  profiles: readonly Profile[],
  before: readonly Profile[],
): Promise<readonly Profile[] | undefined> {
  let chosen = before;
  for (;;) {
    const answer = await pickProjects(profiles, chosen);
    if (answer?.kind !== 'saveGroup') return answer?.chosen;
    ({ chosen } = answer);
    await saveGroup(chosen);
  }
}

async function pickProjects(profiles: readonly Profile[], before: readonly Profile[]): Promise<Answer | undefined> {
  const pick = vscode.window.createQuickPick<ProjectItem>();
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
  let chosen = before;
  const showChosen = (): void => {
    const ticked = pick.items.filter(({ profiles: all }) => all?.every(profile => chosen.includes(profile)));
    if (!isSame(ticked, pick.selectedItems)) pick.selectedItems = ticked;
  };
  pick.title = vscode.l10n.t('Run on Projects');
  pick.placeholder = vscode.l10n.t('Tick the projects that the statement runs on');
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  const save = { iconPath: new vscode.ThemeIcon('save-as'), tooltip: vscode.l10n.t('Save as Group…') };
  pick.buttons = [save];
  pick.items = itemsOf(profiles);
  showChosen();
  pick.onDidChangeSelection(ticked => {
    chosen = chosenAfter(chosen, pick.items, ticked);
    showChosen();
  });
  const answer = (kind: Answer['kind']): void => {
    if (chosen.length > 0) resolve({ kind, chosen: profiles.filter(profile => chosen.includes(profile)) });
  };
  pick.onDidTriggerButton(() => answer('saveGroup'));
  pick.onDidAccept(() => answer('run'));
  pick.onDidHide(() => resolve(undefined));
  pick.show();
  try {
    return await promise;
  } finally {
    pick.dispose();
  }
}

/** Ticks that differ from the choice before are the user's. A tick of a group is one of all its projects. */
function chosenAfter(
  before: readonly Profile[],
  items: readonly ProjectItem[],
  ticked: readonly ProjectItem[],
): readonly Profile[] {
  const chosen = new Set(before);
  for (const item of items) {
    const { profiles = [] } = item;
    const wasTicked = profiles.every(profile => before.includes(profile));
    const isTicked = ticked.includes(item);
    if (wasTicked === isTicked) continue;
    for (const profile of profiles) {
      if (isTicked) chosen.add(profile);
      else chosen.delete(profile);
    }
  }
  return [...chosen];
}

function itemsOf(profiles: readonly Profile[]): ProjectItem[] {
  const groups = readGroups(profiles).map(({ name, profiles: members }) => ({
    label: withoutIcons(name),
    iconPath: new vscode.ThemeIcon('folder-library'),
    description: withoutIcons(members.map(member => member.name).join(', ')),
    profiles: members,
  }));
  const projects = profiles.map(profile => ({
    label: withoutIcons(profile.name),
    iconPath: projectIcon(profile),
    description: withoutIcons([protectionNote(profile.protection), profile.baseUrl].filter(Boolean).join(' · ')),
    profiles: [profile],
  }));
  if (groups.length === 0) return projects;
  return [separator(vscode.l10n.t('Groups')), ...groups, separator(vscode.l10n.t('Projects')), ...projects];
}

const separator = (label: string): ProjectItem => ({ label, kind: vscode.QuickPickItemKind.Separator });

/** Groups without a listed project are left out. */
function readGroups(profiles: readonly Profile[]): ProjectGroup[] {
  const groups = asRecord(vscode.workspace.getConfiguration().get(settings.projectGroups)) ?? {};
  return Object.entries(groups).flatMap(([name, names]) => {
    const members = profiles.filter(profile => asArray(names)?.includes(profile.name));
    return members.length === 0 ? [] : [{ name, profiles: members }];
  });
}

async function saveGroup(chosen: readonly Profile[]): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Save as Group'),
    prompt: vscode.l10n.t('Name of the group with {0}', chosen.map(profile => profile.name).join(', ')),
    ignoreFocusOut: true,
  });
  if (!name?.trim()) return;
  const groups = asRecord(vscode.workspace.getConfiguration().get(settings.projectGroups));
  await changeSetting(settings.projectGroups, { ...groups, [name.trim()]: chosen.map(profile => profile.name) });
}

const isSame = (one: readonly ProjectItem[], other: readonly ProjectItem[]): boolean =>
  one.length === other.length && one.every(item => other.includes(item));
