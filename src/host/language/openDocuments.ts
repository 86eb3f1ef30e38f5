import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { mayHoldSql } from '../connections/embeddedProject.ts';
import { schemes } from '../names.ts';

/** Documents of these schemes show what is there already. A CREATE statement in them is not a fault. */
const unservedSchemes: ReadonlySet<string> = new Set([schemes.definition, 'git']);

/** Whether the language server serves a document if it has a project. */
export const mayBeServed = (document: vscode.TextDocument): boolean =>
  mayHoldSql(document) && !unservedSchemes.has(document.uri.scheme);

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
