import { basename } from 'node:path';
import * as vscode from 'vscode';
import { confirm, fileLook } from '../questions.ts';

interface SavePrompt {
  readonly title: string;
  readonly folder: vscode.Uri | undefined;
  /** The proposed name, without its extension. */
  readonly name: string;
  readonly extension: string;
  /** The name of the type of file. */
  readonly type: string;
}

/** A name for a file, without its extension. */
export const fileNameOf = (title: string): string => title.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60);

/** Asks where to save a file, and whether to replace one. Undefined when the user cancels. */
export async function promptForSaving(prompt: SavePrompt): Promise<vscode.Uri | undefined> {
  const { title, folder, name, extension, type } = prompt;
  const file = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${name}.${extension}`) }),
    // With this filter, VS Code keeps the file extension that the user types.
    filters: { [type]: [extension], [vscode.l10n.t('All Files')]: ['*'] },
    title,
  });
  return file && withEnding(file, extension);
}

/** Adds the file extension if the user typed none. VS Code has asked only whether to replace the file without it. */
async function withEnding(file: vscode.Uri, extension: string): Promise<vscode.Uri | undefined> {
  const name = basename(file.path);
  if (name.includes('.')) return file;
  const complete = vscode.Uri.joinPath(file, '..', `${name}.${extension}`);
  const exists = await vscode.workspace.fs.stat(complete).then(
    () => true,
    () => false,
  );
  if (!exists) return complete;
  const question = vscode.l10n.t("'{0}' already exists. Replace it?", basename(complete.path));
  const deed = vscode.l10n.t('Replace File');
  return (await confirm(question, complete.fsPath, fileLook(complete), deed)) ? complete : undefined;
}
