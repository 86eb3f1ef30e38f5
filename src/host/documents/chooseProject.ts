import * as vscode from 'vscode';
import { nameFor } from '../../model/projectChoice.ts';
import { type DocumentProjects, promptForProject, projectLineIn } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import { offerProjects } from '../remedies.ts';
import { showInformation } from '../notifications.ts';

/** Lets the user say where the statements of the active SQL editor go. A line at its head that says it is changed. */
export async function chooseProjectOfEditor(projects: Projects, documents: DocumentProjects): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== 'sql') {
    void showInformation(vscode.l10n.t('Open an SQL file first: each has its own project.'));
    return;
  }
  const { profiles } = await projects.list();
  if (profiles.length === 0) return offerProjects();
  const chosen = await promptForProject(profiles);
  // Whoever clicked on the status bar goes on in the editor.
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  if (!chosen) return;
  await changeLine(document, nameFor(profiles, chosen));
  await documents.assign(document.uri, chosen);
}

async function changeLine(document: vscode.TextDocument, name: string): Promise<void> {
  const line = projectLineIn(document);
  if (!line || line.name === name) return;
  const range = new vscode.Range(document.positionAt(line.start), document.positionAt(line.end));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, ` ${name}`);
  await vscode.workspace.applyEdit(edit);
}
