import * as vscode from 'vscode';
import { asArray, asRecord } from '../../base/decode.ts';
import type { Profile } from '../../model/profiles.ts';
import { changeSetting } from '../changeSetting.ts';
import { projectItem } from '../connections/projectPrompts.ts';
import { settings } from '../names.ts';
import { withoutIcons } from '../notifications.ts';

const lastChoiceKey = 'sqlProjects.runOnProjects';

/** Lets the user tick projects and groups. The projects of the last run are ticked. Undefined if the user chooses none. */
export async function promptForProjects(
  profiles: readonly Profile[],
  memory: vscode.Memento,
): Promise<readonly Profile[] | undefined> {
  const before = asArray(memory.get(lastChoiceKey)) ?? [];
  const projects = profiles.map(profile => ({
    ...projectItem(profile),
    picked: before.includes(profile.id),
    isChosen: ({ id }: Profile) => id === profile.id,
  }));
  const groups = Object.entries(readGroups()).map(([name, members]) => ({
    label: withoutIcons(name),
    iconPath: new vscode.ThemeIcon('folder-library'),
    description: withoutIcons((asArray(members) ?? []).join(', ')),
    isChosen: (profile: Profile) => asArray(members)?.includes(profile.name) === true,
  }));
  const save = {
    label: vscode.l10n.t('Save These as a Group…'),
    iconPath: new vscode.ThemeIcon('save'),
    alwaysShow: true,
    isChosen: () => false,
  };
  const ticked = await vscode.window.showQuickPick([...groups, ...projects, save], {
    title: vscode.l10n.t('Run on Projects'),
    placeHolder: vscode.l10n.t('Tick the projects that the statement runs on'),
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  const chosen = profiles.filter(profile => ticked?.some(({ isChosen }) => isChosen(profile)));
  if (chosen.length === 0) return undefined;
  if (ticked?.includes(save) && !(await saveGroup(chosen.map(({ name }) => name)))) return undefined;
  await memory.update(
    lastChoiceKey,
    chosen.map(({ id }) => id),
  );
  return chosen;
}

const readGroups = () => asRecord(vscode.workspace.getConfiguration().get(settings.projectGroups)) ?? {};

/** False if the user cancels. */
async function saveGroup(names: readonly string[]): Promise<boolean> {
  const group = await vscode.window.showInputBox({
    title: vscode.l10n.t('Save as Group'),
    prompt: vscode.l10n.t('Name of the group with {0}', names.join(', ')),
    ignoreFocusOut: true,
  });
  if (!group?.trim()) return false;
  await changeSetting(settings.projectGroups, { ...readGroups(), [group.trim()]: names });
  return true;
}
