import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { readLocalFolder } from '../connections/profileSettings.ts';
import type { Projects } from '../connections/projects.ts';
import { commands, settings, views } from '../names.ts';
import { showError } from '../notifications.ts';
import { errorMessage } from '../errorMessages.ts';
import { remedyLabels } from '../remedies.ts';
import type { EmbeddedService } from './embeddedService.ts';
import { isSample, openSample, type OpenSampleParts } from './openSample.ts';

export interface TryLocallyParts extends Omit<OpenSampleParts, 'storage'> {
  readonly projects: Projects;
  /** The SQL file that opens in place of the stored one. */
  readonly file?: vscode.Uri | undefined;
}

/** Starts the embedded service unless it is running, and shows its sample project: in the tree, as SQL, and as rows. */
export async function tryLocally(parts: TryLocallyParts & OpenSampleParts, embedded: EmbeddedService): Promise<void> {
  const { projects } = parts;
  if (readLocalFolder() !== '') return showConfigured(parts);
  await vscode.commands.executeCommand(`${views.projects}.focus`);
  try {
    const started = await vscode.window.withProgress({ location: { viewId: views.projects } }, () => embedded.start());
    projects.refresh();
    const project = started.find(isSample) ?? started[0];
    const profile = project && (await findListed(projects, project));
    if (profile) await openSample(parts, profile, parts.file);
  } catch (thrown) {
    const retry = remedyLabels().tryAgain;
    if ((await showError(errorMessage(thrown), retry)) === retry) {
      await vscode.commands.executeCommand(commands.tryLocally, parts.file);
    }
  }
}

/** The project as the tree lists it. The settings may list it too, and their entry counts. */
async function findListed(projects: Projects, { origin, projectId }: Profile): Promise<Profile | undefined> {
  const { profiles } = await projects.list();
  return profiles.find(profile => profile.origin === origin && profile.projectId === projectId);
}

/** The user starts and stops the service that the setting names. The extension only finds it. */
async function showConfigured(parts: TryLocallyParts & OpenSampleParts): Promise<void> {
  const { projects } = parts;
  projects.refresh();
  await vscode.commands.executeCommand(`${views.projects}.focus`);
  const { profiles, localFault } = await projects.list();
  if (localFault === undefined) {
    const local = profiles.filter(({ source }) => source === 'local');
    const profile = local.find(isSample) ?? local[0];
    if (profile) await openSample(parts, profile, parts.file);
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
