import * as vscode from 'vscode';
import { ProjectError } from '../../base/errors.ts';
import { addEntries, entryOf } from '../../model/profileEntries.ts';
import { decodeProfiles } from '../../model/profiles.ts';
import { projectEntriesIn } from '../../model/projectsFile.ts';
import type { ProfileWriter } from '../connections/profileSettings.ts';
import type { Projects } from '../connections/projects.ts';
import { settings } from '../names.ts';
import { showInformation, showWarning } from '../notifications.ts';
import { profileProblemMessage } from '../errorMessages.ts';

const fileName = 'sql-projects.json';
const filters = (): Record<string, string[]> => ({ [vscode.l10n.t('Projects')]: ['json'] });

/** Writes the projects of the settings into a file, in the form of the setting. The file has no keys. */
export async function exportProjects(projects: Projects): Promise<void> {
  const { profiles } = await projects.list();
  const entries = profiles.filter(({ scope }) => scope !== undefined).map(entryOf);
  if (entries.length === 0) {
    void showInformation(vscode.l10n.t('There is no project in the settings to export.'));
    return;
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
  const message = vscode.l10n.t('Exported projects: {0}. Their keys are not in the file.', entries.length);
  void showInformation(message);
}

/** Adds the projects of a file to the user's settings. Projects that are there already stay as they are. */
export async function importProjects(writer: ProfileWriter): Promise<void> {
  const title = vscode.l10n.t('Import Projects');
  const [file] = (await vscode.window.showOpenDialog({ filters: filters(), title })) ?? [];
  if (!file) return;
  const { profiles, problems } = decodeProfiles(entriesIn(await vscode.workspace.fs.readFile(file)));
  let addedCount = 0;
  await writer.write('user', setting => {
    const presentIds = new Set(decodeProfiles(setting).profiles.map(({ id }) => id));
    const added = profiles.filter(({ id }) => !presentIds.has(id));
    addedCount = added.length;
    return addEntries(setting, added.map(entryOf));
  });
  const presentCount = profiles.length - addedCount;
  const summary = vscode.l10n.t('Imported projects: {0}. There already: {1}.', addedCount, presentCount);
  if (problems.length === 0) {
    void showInformation(`${summary} ${vscode.l10n.t('Each needs its key to be set.')}`);
  } else {
    const faults = problems.map(profileProblemMessage).join(' ');
    void showWarning(`${summary} ${vscode.l10n.t('In the file: {0}', faults)}`);
  }
}

/** The file has the whole setting by its name, or its list alone. */
function entriesIn(bytes: Uint8Array): readonly unknown[] {
  const list = projectEntriesIn(Buffer.from(bytes).toString('utf8'), settings.projects);
  if (list) return list;
  throw new ProjectError(
    'misuse',
    'unreadable_file',
    vscode.l10n.t('The file is no JSON with a list {0}.', settings.projects),
  );
}
