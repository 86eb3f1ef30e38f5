import * as vscode from 'vscode';
import type { SettingsScope } from '../../model/profiles.ts';
import { settings } from '../names.ts';

/** Opens the file in which the projects of the user, or of the workspace, stand. */
export async function openSettings(scope: SettingsScope): Promise<void> {
  // Written into the user's file when it is not there yet, so that there is something to edit.
  const revealSetting = { key: settings.projects, edit: scope === 'user' };
  const command = scope === 'user' ? 'openSettingsJson' : 'openWorkspaceSettingsFile';
  await vscode.commands.executeCommand(`workbench.action.${command}`, { revealSetting });
}
