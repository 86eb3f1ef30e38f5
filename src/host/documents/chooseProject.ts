import * as vscode from 'vscode';
import { nameForProjectLine } from '../../model/projectChoice.ts';
import { type DocumentProjects, projectLineIn } from '../connections/documentProjects.ts';
import { promptForProject } from '../connections/projectPrompts.ts';
import { embeddedProjectName } from '../connections/embeddedProject.ts';
import type { Projects } from '../connections/projects.ts';
import { settings } from '../names.ts';
import { offerProjects } from '../remedies.ts';
import { showInformation } from '../notifications.ts';

/** Lets the user choose the project of the active SQL editor, and updates the `-- @project` line if the document has one. */
export async function chooseProjectOfEditor(projects: Projects, documents: DocumentProjects): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document && embeddedProjectName(document) !== undefined) {
    await vscode.commands.executeCommand('workbench.action.openSettings', settings.embeddedProject);
    return;
  }
  if (document?.languageId !== 'sql') {
    void showInformation(vscode.l10n.t('Open an SQL file first. Each SQL file has its own project.'));
    return;
  }
  const { profiles } = await projects.list();
  if (profiles.length === 0) return offerProjects();
  const [only] = profiles;
  if (only && profiles.length === 1 && (await documents.choiceFor(document)).kind === 'project') {
    return offerProjects(vscode.l10n.t("'{0}' is the only project.", only.name));
  }
  const chosen = await promptForProject(profiles);
  // After a click on the status bar the editor has lost the focus.
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  if (!chosen) return;
  await updateProjectLine(document, nameForProjectLine(profiles, chosen));
  await documents.assign(document.uri, chosen);
}

async function updateProjectLine(document: vscode.TextDocument, name: string): Promise<void> {
  const line = projectLineIn(document);
  if (!line || line.name === name) return;
  const range = new vscode.Range(document.positionAt(line.start), document.positionAt(line.end));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, ` ${name}`);
  await vscode.workspace.applyEdit(edit);
}
