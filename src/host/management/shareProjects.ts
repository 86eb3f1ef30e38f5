import * as vscode from 'vscode';
import { ProjectError } from '../../base/errors.ts';
import { addEntries, entryOf } from '../../model/profileEntries.ts';
import { decodeProfiles, type Profile } from '../../model/profiles.ts';
import { projectEntriesIn } from '../../model/projectsFile.ts';
import type { ProfileWriter } from './profileWriter.ts';
import type { Projects } from '../connections/projects.ts';
import { commandId, settings } from '../names.ts';
import { showInformation, showWarning } from '../notifications.ts';
import { profileProblemMessage } from '../errorMessages.ts';
import { offerProjects } from '../remedies.ts';

const fileName = 'sql-projects.json';
const filters = (): Record<string, string[]> => ({ [vscode.l10n.t('Projects')]: ['json'] });

/** Writes the projects of the settings into a file, in the form of the setting. The file has no keys. */
export async function exportProjects(projects: Projects): Promise<void> {
  const { profiles } = await projects.list();
  const entries = profiles.filter(({ scope }) => scope !== undefined).map(entryOf);
  if (entries.length === 0) {
    return offerProjects(vscode.l10n.t('There are no projects in the settings to export.'));
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, fileName) }),
    filters: filters(),
    title: vscode.l10n.t('Export Projects'),
  });
  if (!file) return;
  const text = `${JSON.stringify({ [settings.projects]: entries }, null, 2)}\n`;
  await vscode.workspace.fs.writeFile(file, Buffer.from(text));
  const count = entries.length;
  const summary = count === 1 ? vscode.l10n.t('Exported 1 project.') : vscode.l10n.t('Exported {0} projects.', count);
  void showInformation(`${summary} ${leftOut(profiles.length - count)}`);
}

function leftOut(localCount: number): string {
  if (localCount === 0) return vscode.l10n.t('API keys are not in the file.');
  return localCount === 1
    ? vscode.l10n.t('API keys and 1 project of a local service are not in the file.')
    : vscode.l10n.t('API keys and {0} projects of local services are not in the file.', localCount);
}

/** Adds the projects of a file to the user's settings. Projects that are there already stay as they are. */
export async function importProjects(writer: ProfileWriter): Promise<void> {
  const title = vscode.l10n.t('Import Projects');
  const [file] = (await vscode.window.showOpenDialog({ filters: filters(), title })) ?? [];
  if (!file) return;
  const { profiles, problems } = decodeProfiles(entriesIn(await vscode.workspace.fs.readFile(file)));
  let addedProfiles: readonly Profile[] = [];
  await writer.write('user', setting => {
    const presentIds = new Set(decodeProfiles(setting).profiles.map(({ id }) => id));
    addedProfiles = profiles.filter(({ id }) => !presentIds.has(id));
    return addEntries(setting, addedProfiles.map(entryOf));
  });
  const summary = [importedMessage(addedProfiles.length), presentMessage(profiles.length - addedProfiles.length)];
  const faults = problems.map(profileProblemMessage);
  const message = [...summary, ...faults].filter(text => text !== '').join(' ');
  const setKeys = addedProfiles.length === 1 ? vscode.l10n.t('Set API Key') : vscode.l10n.t('Set API Keys');
  const buttons = addedProfiles.length > 0 ? [setKeys] : [];
  const chosen = await (problems.length === 0 ? showInformation : showWarning)(message, ...buttons);
  if (chosen !== setKeys) return;
  for (const { id } of addedProfiles) await vscode.commands.executeCommand(commandId('setKey'), id);
}

function importedMessage(count: number): string {
  if (count === 0) return vscode.l10n.t('Imported no projects.');
  return count === 1
    ? vscode.l10n.t('Imported 1 project. Set its API key to use it.')
    : vscode.l10n.t('Imported {0} projects. Set their API keys to use them.', count);
}

function presentMessage(count: number): string {
  if (count === 0) return '';
  return count === 1 ? vscode.l10n.t('1 project already exists.') : vscode.l10n.t('{0} projects already exist.', count);
}

/** The file has the whole setting by its name, or its list alone. */
function entriesIn(bytes: Uint8Array): readonly unknown[] {
  const list = projectEntriesIn(Buffer.from(bytes).toString('utf8'), settings.projects);
  if (list) return list;
  throw new ProjectError('misuse', 'unreadable_file', vscode.l10n.t('The file is not a list of projects.'));
}
