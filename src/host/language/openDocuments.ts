import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { mayHoldSql } from '../connections/embeddedProject.ts';

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
