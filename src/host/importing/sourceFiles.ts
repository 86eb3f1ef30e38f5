import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';

/** A file on this machine whose rows are imported. */
export interface ImportSource {
  readonly path: string;
  /** The name that the user knows it by. */
  readonly name: string;
  /** Whether it is a copy that goes with the import. */
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

/** The file itself, or a copy of one that is on no disk of this machine. */
export async function sourceOf(file: vscode.Uri, folder: string): Promise<ImportSource> {
  const name = basename(file.path);
  if (file.scheme === 'file') return { path: file.fsPath, name, isCopy: false };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}-${name}`);
  await vscode.workspace.fs.copy(file, vscode.Uri.file(path));
  return { path, name, isCopy: true };
}

/** A file with the text of the clipboard, so that its import survives the window. Undefined if there is no text. */
export async function clipboardSource(folder: string): Promise<ImportSource | undefined> {
  const text = await vscode.env.clipboard.readText();
  if (text.trim() === '') return undefined;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}.rows`);
  await writeFile(path, text, { mode: 0o600 });
  return { path, name: vscode.l10n.t('the clipboard'), isCopy: true };
}
