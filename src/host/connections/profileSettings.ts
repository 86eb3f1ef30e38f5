import * as vscode from 'vscode';
import type { ProfileSettings } from '../../model/profiles.ts';
import { settings } from '../names.ts';

/** Reads the scopes one by one: `get` gives only the list of the workspace. */
export function readProfileSettings(): ProfileSettings {
  const inspected = vscode.workspace.getConfiguration().inspect(settings.projects);
  return {
    user: inspected?.globalValue,
    workspace: inspected?.workspaceValue,
    trusted: vscode.workspace.isTrusted,
  };
}

/** The user's own fields of local projects. No workspace can set them. */
export function readLocalFields(): unknown {
  return vscode.workspace.getConfiguration().inspect(settings.localServiceProjects)?.globalValue;
}

/** The data folder of a local service that the user runs; '' stands for the extension's own service. */
export function readLocalFolder(): string {
  return vscode.workspace.getConfiguration().get<string>(settings.localServiceFolder, '');
}

/** Calls back when one of the settings has changed. */
export const onSettingChange = (names: readonly string[], listener: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration(event => {
    if (names.some(name => event.affectsConfiguration(name))) listener();
  });

/** Writes a setting where it is set now: for the workspace, else for the user. */
export async function changeSetting(name: string, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const isInWorkspace = configuration.inspect(name)?.workspaceValue !== undefined;
  const target = isInWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await configuration.update(name, value, target);
}
