import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { scopesOf, textsIn } from '../connections/settingScopes.ts';
import { settings } from '../names.ts';
import { showInformation } from '../notifications.ts';
import { isExcluded } from './historySettings.ts';

/** Leaves a project out of the history, or takes it in again. Changes only the user's own settings. */
export async function toggleHistory(profile: Profile): Promise<void> {
  const { id, name } = profile;
  const own = textsIn(scopesOf(settings.historyExcluded).user);
  const wasExcluded = isExcluded(profile);
  const excluded = wasExcluded ? own.filter(entry => entry !== id && entry !== name) : [...own, id];
  await vscode.workspace
    .getConfiguration()
    .update(settings.historyExcluded, excluded, vscode.ConfigurationTarget.Global);
  const message = !isExcluded(profile)
    ? vscode.l10n.t("The history records runs in '{0}' again.", name)
    : wasExcluded
      ? vscode.l10n.t("The workspace settings leave '{0}' out of the history.", name)
      : vscode.l10n.t("The history records no more runs in '{0}'. Entries that it has stay.", name);
  void showInformation(message);
}
