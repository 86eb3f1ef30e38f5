import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { isHidden, readHidden, readOwnHidden } from '../connections/hiddenProjects.ts';
import type { Projects } from '../connections/projects.ts';
import { settings } from '../names.ts';
import { showInformation } from '../notifications.ts';
import { promptForChoice } from './chooseField.ts';

/** Lets the user hide a project from AI agents, or show it to them. Changes only the user's own settings. */
export async function chooseAgentAccess(projects: Pick<Projects, 'list'>, profile: Profile): Promise<void> {
  const choice = await promptForChoice({
    title: vscode.l10n.t("Access of AI Agents to '{0}'", profile.name),
    items: [
      {
        value: 'visible',
        label: vscode.l10n.t('Visible'),
        detail: vscode.l10n.t('Agents see the project and read it, within your limits and masks.'),
        iconPath: new vscode.ThemeIcon('eye'),
      },
      {
        value: 'hidden',
        label: vscode.l10n.t('Hidden'),
        detail: vscode.l10n.t('For agents, the project does not exist.'),
        iconPath: new vscode.ThemeIcon('eye-closed'),
      },
    ],
    currentValue: isHidden(profile, readHidden()) ? 'hidden' : 'visible',
  });
  if (!choice) return;
  const { profiles } = await projects.list();
  const hidden = listWith(profile, readOwnHidden(), profiles, choice.value === 'hidden');
  await vscode.workspace.getConfiguration().update(settings.agentsHidden, hidden, vscode.ConfigurationTarget.Global);
  if (choice.value === 'hidden' || !isHidden(profile, readHidden())) return;
  void showInformation(
    vscode.l10n.t(
      "The workspace settings hide '{0}' from AI agents. Remove it there from the setting {1}.",
      profile.name,
      settings.agentsHidden,
    ),
  );
}

/** The list that hides or shows the profile. Projects that share its name with it stay hidden, by their ids. */
function listWith(
  { id, name }: Profile,
  hidden: readonly string[],
  profiles: readonly Profile[],
  isToBeHidden: boolean,
): string[] {
  if (isToBeHidden) return [...new Set([...hidden, id])];
  const namesakes = profiles.filter(other => other.name === name && other.id !== id);
  const kept = hidden.flatMap(entry => (entry === name ? namesakes.map(other => other.id) : [entry]));
  return [...new Set(kept)].filter(entry => entry !== id);
}
