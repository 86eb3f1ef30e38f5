import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import * as vscode from 'vscode';
import { errorMessage } from '../errorMessages.ts';
import { showError } from '../notifications.ts';

export interface ImportSource {
  readonly path: string;
  /** The name that the user knows it by. */
  readonly name: string;
  /** Whether it is a copy that is removed with the import. */
  readonly isCopy: boolean;
}

/** Asks for the file. Undefined when the user cancels. */
export async function promptForSource(): Promise<vscode.Uri | undefined> {
  const files = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Import Rows'),
    openLabel: vscode.l10n.t('Import'),
    canSelectMany: false,
    filters: {
      [vscode.l10n.t('Rows')]: ['csv', 'tsv', 'tab', 'txt', 'json', 'ndjson', 'jsonl', 'db', 'sqlite', 'sqlite3'],
      [vscode.l10n.t('All Files')]: ['*'],
    },
  });
  return files?.[0];
}

/** The file itself, or a local copy of a file of another file system. */
export async function sourceOf(file: vscode.Uri, folder: string): Promise<ImportSource> {
  const name = basename(file.path);
  if (file.scheme === 'file') return { path: file.fsPath, name, isCopy: false };
  const path = await copyPath(name, folder);
  await vscode.workspace.fs.copy(file, vscode.Uri.file(path));
  return { path, name, isCopy: true };
}

/** A copy of a file that only the browser has. Undefined if that fails; a message says so. */
export async function copyOf(file: vscode.DataTransferFile, folder: string): Promise<ImportSource | undefined> {
  const { name } = file;
  const path = await copyPath(name, folder);
  try {
    await writeFile(path, await file.data(), { mode: 0o600 });
    return { path, name, isCopy: true };
  } catch (thrown) {
    await rm(path, { force: true });
    const message = vscode.l10n.t(
      "'{0}' could not be copied from the browser. Drop it in the Explorer, and import it from there. {1}",
      name,
      errorMessage(thrown),
    );
    void showError(message);
    return undefined;
  }
}

/** Keeps only the ending, which may say the format: the rest of the name could be too long, or that of a journal. */
async function copyPath(name: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const ending = /^\.\w{1,16}$/.exec(extname(name))?.[0] ?? '';
  return join(folder, `${randomUUID()}${ending}`);
}

/** Writes the text of the clipboard to a file, so that its import survives the window. Undefined if there is no text. */
export async function clipboardSource(folder: string): Promise<ImportSource | undefined> {
  const text = await vscode.env.clipboard.readText();
  if (text.trim() === '') return undefined;
  const path = await copyPath('clipboard.rows', folder);
  await writeFile(path, text, { mode: 0o600 });
  return { path, name: vscode.l10n.t('the clipboard'), isCopy: true };
}
