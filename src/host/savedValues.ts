import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../base/disposable.ts';
import { dropSavedValues } from '../model/savedValues.ts';
import { settings } from './names.ts';

/** Whether the user lets the values of parameters be stored on this machine. */
export const savesParameterValues = (): boolean =>
  vscode.workspace.getConfiguration().get(settings.saveParameterValues) === true;

/** The folder of the saved results. Undefined where no folder is open. */
export const savedResultsFolder = ({ storageUri }: Pick<vscode.ExtensionContext, 'storageUri'>): string | undefined =>
  storageUri && join(storageUri.fsPath, 'results');

/** Removes stored values that the setting does not allow: those of earlier windows, and all when the user turns it off. */
export function watchSavedValues(context: vscode.ExtensionContext): Disposable {
  const owned = new DisposableStore();
  const check = (): void => {
    if (savesParameterValues()) return;
    // The next start tries again.
    dropSavedValues(context.workspaceState, savedResultsFolder(context)).catch(() => undefined);
  };
  owned.add(
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration(settings.saveParameterValues)) check();
    }),
  );
  const afterActivation = setImmediate(check);
  owned.add(toDisposable(() => clearImmediate(afterActivation)));
  return owned;
}
