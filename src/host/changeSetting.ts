import * as vscode from 'vscode';

/** Writes a setting where it is set now: for the workspace, else for the user. */
export async function changeSetting(name: string, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const isInWorkspace = configuration.inspect(name)?.workspaceValue !== undefined;
  const target = isInWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await configuration.update(name, value, target);
}
