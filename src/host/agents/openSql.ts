import * as vscode from 'vscode';
import { misuse } from '../../base/errors.ts';
import { logText } from '../../base/logger.ts';
import type { Profile } from '../../model/profiles.ts';
import { projectNamesIn } from '../../sql/directives/projectLine.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';

const maxTitleLength = 200;

/** Opens SQL of an agent in an editor of the project. Nothing runs, and the editor of the user keeps the focus. */
export async function openSql(
  documents: DocumentProjects,
  profile: Profile,
  sql: string,
  title?: string,
): Promise<void> {
  const content = title === undefined ? sql : `-- ${logText(title, maxTitleLength).replace(/^@+/, '')}\n\n${sql}`;
  if (projectNamesIn(content).length > 0) {
    throw misuse('bad_input', 'A comment line -- @project would send the SQL to another project. Leave it out.');
  }
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
  await documents.assign(document.uri, profile);
  await vscode.window.showTextDocument(document, { preview: false, preserveFocus: true });
}
