import * as vscode from 'vscode';
import { asString } from '../../base/decode.ts';
import { isEmbeddingLanguage } from '../../sql/embedded/embeddingLanguages.ts';
import { schemes, settings } from '../names.ts';

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
