import * as vscode from 'vscode';

/** Calls back when one of the settings has changed. */
export const onSettingChange = (names: readonly string[], listener: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration(event => {
    if (names.some(name => event.affectsConfiguration(name))) listener();
  });
