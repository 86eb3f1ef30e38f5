import * as vscode from 'vscode';
import { asString } from '../../base/decode.ts';
import { isEmbeddingLanguage } from '../../sql/embedded/embeddingLanguages.ts';
import type { Profile } from '../../model/profiles.ts';
import { schemes, settings } from '../names.ts';
import type { DocumentProjects } from './documentProjects.ts';

/** The project that the setting of a folder names for the SQL in programs. Without a name, nothing reads the programs. */
export function embeddedProjectName({ uri, languageId }: vscode.TextDocument): string | undefined {
  if (!isEmbeddingLanguage(languageId)) return undefined;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return folder && embeddedProjectOfFolder(folder);
}

export function embeddedProjectOfFolder({ uri }: vscode.WorkspaceFolder): string | undefined {
  const name = asString(vscode.workspace.getConfiguration(undefined, uri).get<unknown>(settings.embeddedProject));
  return name?.trim() || undefined;
}

/** Whether a document is SQL to run, or a program of a folder that names a project. */
export const canHaveProject = (document: vscode.TextDocument): boolean =>
  isSqlToRun(document) || embeddedProjectName(document) !== undefined;

/** Whether a document is SQL to run, or a program that may have SQL in it. */
export const mayHoldSql = (document: vscode.TextDocument): boolean =>
  isSqlToRun(document) || isEmbeddingLanguage(document.languageId);

/** A review shows the statements of a save, which are not run by hand. */
const isSqlToRun = ({ languageId, uri }: vscode.TextDocument): boolean =>
  languageId === 'sql' && uri.scheme !== schemes.review;

/** Whether the language server serves a document if it has a project. It leaves the past of a file alone. */
export const mayBeServed = (document: vscode.TextDocument): boolean =>
  mayHoldSql(document) && document.uri.scheme !== 'git';

/** The project whose schema the language server uses for a document. Undefined if it leaves the document alone. */
export async function servedProject(
  documents: DocumentProjects,
  document: vscode.TextDocument,
): Promise<Profile | undefined> {
  if (!mayBeServed(document)) return undefined;
  const choice = await documents.choiceFor(document);
  return choice.kind === 'project' ? choice.profile : undefined;
}

export async function hasOpenDocument(documents: DocumentProjects, profileId: string): Promise<boolean> {
  for (const document of vscode.workspace.textDocuments) {
    if ((await servedProject(documents, document))?.id === profileId) return true;
  }
  return false;
}
