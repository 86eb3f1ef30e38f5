import * as vscode from 'vscode';
import type { DocumentProjects } from '../connections/documentProjects.ts';

/** Whether a document of a project is open. */
export async function hasOpenDocument(documents: DocumentProjects, profileId: string): Promise<boolean> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.languageId !== 'sql') continue;
    const choice = await documents.choiceFor(document);
    if (choice.kind === 'project' && choice.profile.id === profileId) return true;
  }
  return false;
}
