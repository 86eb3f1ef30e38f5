import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { splitStatements } from '../../sql/text/splitter.ts';
import { sampleProject } from '../../wire/sampleProject.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { commands } from '../names.ts';
import { sampleStatements } from './sampleStatements.ts';

export interface OpenSampleParts {
  readonly documents: DocumentProjects;
  /** Where the SQL file of the sample is kept. */
  readonly storage: vscode.Uri;
  /** Shows a project in the tree and expands it. */
  readonly reveal: (profile: Profile) => Promise<void>;
}

export const isSample = ({ holderId, projectName }: Pick<Profile, 'holderId' | 'projectName'>): boolean =>
  holderId === sampleProject.holderId && projectName === sampleProject.projectName;

/**
 * Shows a project in the tree. For the sample project, also opens its SQL file and runs the first statement, so that the
 * user sees rows without a further click. `file` replaces the file in the storage.
 */
export async function openSample(
  { documents, storage, reveal }: OpenSampleParts,
  profile: Profile,
  file: vscode.Uri | undefined,
): Promise<void> {
  await reveal(profile);
  if (!isSample(profile)) return;
  const document = await vscode.workspace.openTextDocument(file ?? (await storedFile(storage)));
  await documents.assign(document.uri, profile);
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const first = firstStatement(document.getText());
  const start = document.positionAt(first?.start ?? 0);
  editor.selection = new vscode.Selection(start, start);
  // A statement that the user has changed runs only on the user's own command.
  if (first?.sql === firstStatement(sampleStatements)?.sql) {
    await vscode.commands.executeCommand(commands.runStatement);
  }
}

function firstStatement(text: string): { readonly start: number; readonly sql: string } | undefined {
  const [first] = splitStatements(text);
  return first && { start: first.start, sql: text.slice(first.start, first.end) };
}

/** The SQL file of the sample. An existing one keeps the changes of the user. */
async function storedFile(storage: vscode.Uri): Promise<vscode.Uri> {
  const file = vscode.Uri.joinPath(storage, 'sample', 'shop.sql');
  try {
    await vscode.workspace.fs.stat(file);
  } catch {
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(storage, 'sample'));
    await vscode.workspace.fs.writeFile(file, Buffer.from(sampleStatements));
  }
  return file;
}
