import * as vscode from 'vscode';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { canHaveProject, mayBeServed } from '../connections/embeddedProject.ts';
import type { ProjectSchemas } from '../language/projectSchemas.ts';
import { showInformation, withoutIcons } from '../notifications.ts';
import { orRemedy } from '../remedies.ts';

/** Fetches the schema of the active editor's project, for completion and diagnostics. */
export async function refreshSchema(documents: DocumentProjects, schemas: ProjectSchemas): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !canHaveProject(document)) {
    void showInformation(vscode.l10n.t('Open an SQL file first. Each SQL file has its own project.'));
    return;
  }
  if (!mayBeServed(document)) {
    const message = vscode.l10n.t(
      'This document only shows SQL. Open an SQL file of the project to refresh its schema.',
    );
    void showInformation(message);
    return;
  }
  const profile = await documents.projectOf(document);
  if (!profile) return;
  const title = withoutIcons(vscode.l10n.t('Loading the schema of {0}…', profile.name));
  const options = { location: vscode.ProgressLocation.Window, title };
  await orRemedy(profile, async () => vscode.window.withProgress(options, () => schemas.refresh(profile.id)));
}
