import * as vscode from 'vscode';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import { type ProjectArgument, resolveProject } from './keyCommands.ts';

const templateRows = 100;

/** Opens an SQL editor for a project; from a table, with a SELECT of its first rows. */
export async function newQuery(
  projects: Projects,
  documents: DocumentProjects,
  argument: ProjectArgument,
): Promise<void> {
  const profile = await resolveProject(projects, argument);
  if (!profile) return;
  const isTable = typeof argument === 'object' && (argument.kind === 'table' || argument.kind === 'view');
  const table = isTable ? argument.name : undefined;
  const content = table === undefined ? '' : `SELECT * FROM ${quoteIdentifier(table)} LIMIT ${templateRows};\n`;
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
  await documents.assign(document.uri, profile);
  await vscode.window.showTextDocument(document);
}
