import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { readLocalFolder } from '../connections/profileSettings.ts';
import type { Projects } from '../connections/projects.ts';
import { commands, settings, views } from '../names.ts';
import { showError, showInformation } from '../notifications.ts';
import { errorMessage } from '../errorMessages.ts';
import type { EmbeddedService } from './embeddedService.ts';

/** Shows a project in the tree and expands it. */
export type RevealProject = (profile: Profile) => Promise<void>;

/** Starts the embedded service unless it is running, and shows its projects in the tree. */
export async function tryLocally(projects: Projects, embedded: EmbeddedService, reveal: RevealProject): Promise<void> {
  if (readLocalFolder() !== '') return showConfigured(projects);
  await vscode.commands.executeCommand(`${views.projects}.focus`);
  try {
    const [started] = await vscode.window.withProgress({ location: { viewId: views.projects } }, () =>
      embedded.start(),
    );
    projects.refresh();
    const profile = started && (await findListed(projects, started));
    if (!profile) return;
    await reveal(profile);
    await offerQuery(profile);
  } catch (thrown) {
    const again = vscode.l10n.t('Try Again');
    if ((await showError(errorMessage(thrown), again)) === again) {
      await vscode.commands.executeCommand(commands.tryLocally);
    }
  }
}

/** The project as the tree lists it. The settings may list it too, and their entry counts. */
async function findListed(projects: Projects, { origin, projectId }: Profile): Promise<Profile | undefined> {
  const { profiles } = await projects.list();
  return profiles.find(profile => profile.origin === origin && profile.projectId === projectId);
}

async function offerQuery(profile: Profile): Promise<void> {
  const newQuery = vscode.l10n.t('New Query');
  const message = vscode.l10n.t('{0} is ready. It is kept on this machine and runs while VS Code does.', profile.name);
  if ((await showInformation(message, newQuery)) === newQuery) {
    await vscode.commands.executeCommand(commands.newQuery, profile.id);
  }
}

/** The user starts and stops the service that the setting names. The extension only finds it. */
async function showConfigured(projects: Projects): Promise<void> {
  projects.refresh();
  await vscode.commands.executeCommand(`${views.projects}.focus`);
  const { localFault } = await projects.list();
  if (localFault === undefined) return;
  const openSetting = vscode.l10n.t('Open Setting');
  const message = vscode.l10n.t(
    'The setting {0} names a local service that is started elsewhere, and it does not run. Start it, or clear the setting.',
    settings.localServiceFolder,
  );
  if ((await showError(message, openSetting)) === openSetting) {
    await vscode.commands.executeCommand('workbench.action.openSettings', settings.localServiceFolder);
  }
}
