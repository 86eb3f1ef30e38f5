import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../base/disposable.ts';
import { dropSavedValues } from '../model/savedValues.ts';
import { settings } from './names.ts';
import { onSettingChange } from './connections/profileSettings.ts';

export const savesParameterValues = (): boolean =>
  vscode.workspace.getConfiguration().get(settings.saveParameterValues) === true;

/** The folder of the saved results. Undefined where no folder is open. */
export const savedResultsFolder = ({ storageUri }: Pick<vscode.ExtensionContext, 'storageUri'>): string | undefined =>
  storageUri && join(storageUri.fsPath, 'results');

/** Deletes stored values if the setting forbids them: at the start, and when the user turns it off. */
export function watchSavedValues(context: vscode.ExtensionContext): Disposable {
  const owned = new DisposableStore();
  const check = (): void => {
    if (savesParameterValues()) return;
    // The next start tries again.
    dropSavedValues(context.workspaceState, savedResultsFolder(context)).catch(() => undefined);
  };
  owned.add(onSettingChange([settings.saveParameterValues], check));
  const afterActivation = setImmediate(check);
  owned.add(toDisposable(() => clearImmediate(afterActivation)));
  return owned;
}
