import * as vscode from 'vscode';
import type { BoundStatement } from '../../model/browsing/tableStatements.ts';
import type { Profile } from '../../model/profiles.ts';
import { exactNumbers, jsonParameters } from '../../wire/values.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';

/** Opens what gives the rows of a table as SQL of its project, with the values of its parameters above it. */
export async function openStatement(
  documents: DocumentProjects,
  profile: Profile,
  statement: BoundStatement,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content: scriptOf(statement) });
  await documents.assign(document.uri, profile);
  await vscode.window.showTextDocument(document);
}

function scriptOf({ sql, params }: BoundStatement): string {
  const values = params.length > 0 ? `-- @params ${JSON.stringify(jsonParameters(params), exactNumbers)}\n` : '';
  return `${values}${sql};\n`;
}
