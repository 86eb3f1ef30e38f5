import { basename } from 'node:path';
import * as vscode from 'vscode';
import { distinctNames } from '../../base/distinctNames.ts';
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

/** Windows takes these names for devices, with any file extension. */
const devices = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])$/i;

/** Names for files of one folder, without their extension. No file system takes two of them for the same. */
export function fileNamesOf(titles: readonly string[]): string[] {
  const names = titles.map(title => fileNameOf(title).toWellFormed().replace(devices, '$&_') || 'rows');
  return distinctNames(names, name => name.toUpperCase().toLowerCase(), '-');
}

/** Asks for the folder of files, and whether to replace those that exist. Undefined when the user cancels. */
export async function promptForFolder(
  names: readonly string[],
  initial: vscode.Uri | undefined,
): Promise<readonly vscode.Uri[] | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      ...(initial && { defaultUri: initial }),
      canSelectFiles: false,
      canSelectFolders: true,
      title: vscode.l10n.t('Export to Folder'),
      openLabel: vscode.l10n.t('Export'),
    })) ?? [];
  if (!folder) return undefined;
  const files = names.map(name => vscode.Uri.joinPath(folder, name));
  const areThere = await Promise.all(files.map(fileExists));
  const existing = files.filter((_file, nth) => areThere[nth]);
  if (existing.length === 0) return files;
  const question =
    existing.length === 1
      ? vscode.l10n.t("'{0}' already exists. Replace it?", basename(existing[0]!.path))
      : vscode.l10n.t('{0} of the files already exist. Replace them?', existing.length);
  const detail = existing.map(file => basename(file.path)).join('\n');
  const deed = vscode.l10n.t('Replace Files');
  return (await confirm(question, detail, fileLook(existing[0]!), deed)) ? files : undefined;
}

const fileExists = (file: vscode.Uri): Promise<boolean> =>
  Promise.resolve(vscode.workspace.fs.stat(file)).then(
    () => true,
    () => false,
  );

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
  if (!(await fileExists(complete))) return complete;
  const question = vscode.l10n.t("'{0}' already exists. Replace it?", basename(complete.path));
  const deed = vscode.l10n.t('Replace File');
  return (await confirm(question, complete.fsPath, fileLook(complete), deed)) ? complete : undefined;
}
