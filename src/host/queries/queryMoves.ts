import { basename } from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { isPathAllowed, isQueryFile } from '../../model/queries/queryFiles.ts';
import { showError, showInformation } from '../notifications.ts';
import { confirm, fileLook, type Look } from '../questions.ts';

interface PathPrompt {
  readonly title: string;
  readonly value: string;
  /** A file gets its extension if the user leaves it out. */
  readonly kind: 'file' | 'folder';
}

/** Asks for the path of a file or folder within a folder. Undefined if the user cancels. */
export async function promptForPath(folder: vscode.Uri, prompt: PathPrompt): Promise<vscode.Uri | undefined> {
  const { title, value, kind } = prompt;
  const text = await vscode.window.showInputBox({
    title,
    value,
    valueSelection: [0, value.replace(/\.sql$/i, '').length],
    prompt: vscode.l10n.t('In {0}. A slash separates folders.', folder.fsPath),
    ignoreFocusOut: true,
    validateInput: path => (isPathAllowed(path.trim()) ? undefined : forbiddenText()),
  });
  if (text === undefined) return undefined;
  const path = text.trim();
  return vscode.Uri.joinPath(folder, kind === 'folder' || isQueryFile(path) ? path : `${path}.sql`);
}

const forbiddenText = (): string =>
  vscode.l10n.t('Enter a name without {0}, and without a dot at its end.', String.raw`\ : * ? " < > |`);

/** Whether something may be put at a place: it is free, or the user agrees to replace the file there. Undefined if not. */
export async function askForPlace(target: vscode.Uri): Promise<'free' | 'replace' | undefined> {
  const stat = await statOf(target);
  if (!stat) return 'free';
  const name = basename(target.path);
  const isOpenWithEdits = vscode.workspace.textDocuments.some(
    ({ uri, isDirty }) => isDirty && uri.toString() === target.toString(),
  );
  if (stat.type & vscode.FileType.Directory || isOpenWithEdits) {
    void showInformation(vscode.l10n.t("'{0}' exists as a folder, or has unsaved changes. Choose another name.", name));
    return undefined;
  }
  const question = vscode.l10n.t("'{0}' already exists. Replace it?", name);
  const detail = vscode.l10n.t('The text of the existing file is lost.');
  return (await confirm(question, detail, fileLook(target), vscode.l10n.t('Replace File'))) ? 'replace' : undefined;
}

/** Renames or moves a file or folder. Its editors go along, with text that is not saved. */
export async function moveQuery(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  const source = from.toString();
  const target = to.toString();
  if (source === target) return;
  // On many systems, both names are the same file.
  const isCaseOnly = source.toLowerCase() === target.toLowerCase();
  const place = isCaseOnly ? 'free' : await askForPlace(to);
  if (!place) return;
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(from, to, { overwrite: place === 'replace' });
  if (await vscode.workspace.applyEdit(edit)) return;
  void showError(vscode.l10n.t("'{0}' could not be moved to {1}.", basename(from.path), to.fsPath));
}

/** Deletes a file or folder after a question. It goes to the trash where there is one. */
export async function deleteQuery(uri: vscode.Uri, isFile: boolean): Promise<void> {
  const name = basename(uri.path);
  const look: Look = isFile ? fileLook(uri) : { shows: 'file', run: () => revealQuery(uri) };
  const question = isFile
    ? vscode.l10n.t("Delete '{0}'?", name)
    : vscode.l10n.t("Delete the folder '{0}' with all its files?", name);
  const detail = vscode.l10n.t('You can restore it from the trash.');
  if (!(await confirm(question, detail, look, vscode.l10n.t('Move to Trash')))) return;
  try {
    await vscode.workspace.fs.delete(uri, { recursive: true, useTrash: true });
  } catch (thrown) {
    if (!(await statOf(uri))) return;
    const permanently = vscode.l10n.t("'{0}' could not be moved to the trash. Delete it permanently?", name);
    if (!(await confirm(permanently, messageOf(thrown), look, vscode.l10n.t('Delete Permanently')))) return;
    await vscode.workspace.fs.delete(uri, { recursive: true });
  }
}

/** Shows a file in the Explorer, or one outside of the workspace in the file manager of the system. */
export async function revealQuery(uri: vscode.Uri): Promise<void> {
  if (vscode.workspace.getWorkspaceFolder(uri)) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  if (vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined) {
    await vscode.commands.executeCommand('revealFileInOS', uri);
    return;
  }
  void showInformation(vscode.l10n.t('The file is on another machine than this window: {0}', uri.fsPath));
}

const statOf = async (uri: vscode.Uri): Promise<vscode.FileStat | undefined> =>
  vscode.workspace.fs.stat(uri).then(
    stat => stat,
    () => undefined,
  );
