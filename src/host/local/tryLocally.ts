import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { readLocalFolder } from '../connections/profileSettings.ts';
import type { Projects } from '../connections/projects.ts';
import { commandId, settings, views } from '../names.ts';
import { showError } from '../notifications.ts';
import { errorMessage } from '../errorMessages.ts';
import type { EmbeddedService } from './embeddedService.ts';
import { splitStatements } from '../../sql/text/splitter.ts';
import { sampleProject } from '../../wire/serviceFile.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { sampleStatements } from './sampleStatements.ts';
import { remedyLabels } from '../../protocol/remedyLabels.ts';

export interface SampleParts {
  readonly projects: Projects;
  readonly documents: DocumentProjects;
  /** Where the SQL file of the sample is kept. */
  readonly storage: vscode.Uri;
  /** Shows a project in the tree and expands it. */
  readonly reveal: (profile: Profile) => Promise<void>;
  /** The SQL file to open instead of the stored one. */
  readonly file: vscode.Uri | undefined;
}

/** Starts the embedded service unless it is running, and shows its sample project: in the tree, as SQL, and as rows. */
export async function tryLocally(parts: SampleParts, embedded: EmbeddedService): Promise<void> {
  const { projects } = parts;
  if (readLocalFolder() !== '') return showConfigured(parts);
  await vscode.commands.executeCommand(`${views.projects}.focus`);
  try {
    const started = await vscode.window.withProgress({ location: { viewId: views.projects } }, () => embedded.start());
    projects.refresh();
    const project = started.find(isSample) ?? started[0];
    // The settings may list it too, and their entry counts.
    const { profiles } = await projects.list();
    const profile = profiles.find(
      ({ origin, projectId }) => origin === project?.origin && projectId === project.projectId,
    );
    if (profile) await openSample(parts, profile);
  } catch (thrown) {
    const retry = remedyLabels().tryAgain;
    if ((await showError(errorMessage(thrown), retry)) === retry) {
      await vscode.commands.executeCommand(commandId('tryLocally'), parts.file);
    }
  }
}

/** The user starts and stops the service that the setting names. The extension only finds it. */
async function showConfigured(parts: SampleParts): Promise<void> {
  const { projects } = parts;
  projects.refresh();
  await vscode.commands.executeCommand(`${views.projects}.focus`);
  const { profiles, localFault } = await projects.list();
  if (localFault === undefined) {
    const local = profiles.filter(({ source }) => source === 'local');
    const profile = local.find(isSample) ?? local[0];
    if (profile) await openSample(parts, profile);
    return;
  }
  const openSetting = vscode.l10n.t('Open Setting');
  const message = vscode.l10n.t(
    "The setting '{0}' names a local service that does not run. Start it, or clear the setting.",
    settings.localServiceFolder,
  );
  if ((await showError(message, openSetting)) === openSetting) {
    await vscode.commands.executeCommand('workbench.action.openSettings', settings.localServiceFolder);
  }
}

const isSample = ({ holderId, projectName }: Pick<Profile, 'holderId' | 'projectName'>): boolean =>
  holderId === sampleProject.holderId && projectName === sampleProject.projectName;

/** Shows a project in the tree. For the sample, also opens its SQL file and runs the first statement, so that rows appear. */
async function openSample({ documents, storage, reveal, file }: SampleParts, profile: Profile): Promise<void> {
  await reveal(profile);
  if (!isSample(profile)) return;
  const document = await vscode.workspace.openTextDocument(file ?? (await storedFile(storage)));
  await documents.assign(document.uri, profile);
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const first = firstStatement(document.getText());
  const start = document.positionAt(first?.start ?? 0);
  editor.selection = new vscode.Selection(start, start);
  // A statement that the user has changed runs only on the user's own command.
  if (first?.sql === firstStatement(sampleStatements)?.sql) {
    await vscode.commands.executeCommand(commandId('runStatement'));
  }
}

function firstStatement(text: string): { readonly start: number; readonly sql: string } | undefined {
  const [first] = splitStatements(text);
  return first && { start: first.start, sql: text.slice(first.start, first.end) };
}

/** The SQL file of the sample. An existing one keeps the changes of the user. */
async function storedFile(storage: vscode.Uri): Promise<vscode.Uri> {
  const file = vscode.Uri.joinPath(storage, 'sample', 'shop.sql');
  try {
    await vscode.workspace.fs.stat(file);
  } catch {
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(storage, 'sample'));
    await vscode.workspace.fs.writeFile(file, Buffer.from(sampleStatements));
  }
  return file;
}
