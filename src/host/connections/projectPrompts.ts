import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { ProjectChoice } from '../../model/projectChoice.ts';
import type { Profile } from '../../model/profiles.ts';
import { commandId, settings } from '../names.ts';
import { showError, showInformation, withoutIcons } from '../notifications.ts';
import { protectionNote } from '../../protocol/projectFields.ts';
import { projectIcon } from '../projectAppearance.ts';
import type { Projects } from './projects.ts';

/** Says why the name in a document or a setting leads to no project. */
export function projectNameMessage({ kind, name, isSetting }: Extract<ProjectChoice, { name: string }>): string {
  if (isSetting) {
    return kind === 'unknownName'
      ? vscode.l10n.t(
          "The setting '{0}' names the project '{1}', and there is no project of that name. Correct the setting.",
          settings.embeddedProject,
          name,
        )
      : vscode.l10n.t(
          "The setting '{0}' names the project '{1}', and several projects have that name. Rename one of them, or correct the setting.",
          settings.embeddedProject,
          name,
        );
  }
  return kind === 'unknownName'
    ? vscode.l10n.t(
        "This file names the project '{0}' in its first lines, and there is no project of that name. Correct the name, or choose a project.",
        name,
      )
    : vscode.l10n.t(
        "This file names the project '{0}' in its first lines, and several projects have that name. Correct the name, or choose a project.",
        name,
      );
}

export async function showNameProblem(choice: Extract<ProjectChoice, { name: string }>): Promise<void> {
  const choose = vscode.l10n.t('Choose Project');
  const message = vscode.l10n.t('{0} Nothing was run.', projectNameMessage(choice));
  if ((await showError(message, choose)) === choose) {
    await vscode.commands.executeCommand(commandId('chooseProject'));
  }
}

/** A project in a list to choose from. The protection comes first: a narrow list cuts off the end. */
export const projectItem = (profile: Profile) => ({
  label: withoutIcons(profile.name),
  iconPath: projectIcon(profile),
  description: withoutIcons([protectionNote(profile.protection), profile.baseUrl].filter(Boolean).join(' · ')),
  profile,
});

/**
 * The project that the user chooses, or the only one. Undefined if there is no project, or the user chooses none. `alwaysAsks`
 * is for a document whose own project is missing: its statements go to no other project without a choice.
 */
export async function promptForProject(
  profiles: readonly Profile[],
  { alwaysAsks = false, title = vscode.l10n.t('Choose Project') } = {},
): Promise<Profile | undefined> {
  if (profiles.length === 0) return undefined;
  if (profiles.length === 1 && !alwaysAsks) return profiles[0];
  const items = profiles.map(projectItem);
  // A webview takes the focus back when the palette closes, which can be after this list opens.
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true, ignoreFocusOut: true });
  return picked?.profile;
}

/** Offers to use a project that the user has chosen for a file for all files of its folder. */
export async function offerForFolder(
  file: vscode.Uri,
  { name }: Profile,
  assign: (folder: vscode.Uri) => Promise<void>,
): Promise<void> {
  const folder = vscode.Uri.joinPath(file, '..');
  const useForFolder = vscode.l10n.t("Use for '{0}'", posix.basename(folder.path));
  const message = vscode.l10n.t("'{0}' uses the project '{1}' from now on.", posix.basename(file.path), name);
  if ((await showInformation(message, useForFolder)) === useForFolder) await assign(folder);
}

/** The only other project, or the one that the user chooses. */
export async function promptForOtherProject(projects: Projects, { id }: Profile): Promise<Profile | undefined> {
  const others = (await projects.list()).profiles.filter(profile => profile.id !== id);
  if (others.length === 0) {
    void showInformation(vscode.l10n.t('There is no other project to compare with. Add one first.'));
  }
  return promptForProject(others);
}
