import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import { type ProjectArgument, projectOfArgument } from '../commands/projectArgument.ts';
import { projectErrorMessage, remedyCommand } from '../remedies.ts';
import type { ClientWatch } from '../connections/clients.ts';
import type { LocalKeys } from '../connections/keyStore.ts';
import { isListed, toggleListed } from '../connections/projectLists.ts';
import type { RestoredPanel } from '../webviews/restoredPanels.ts';
import { decodeSettingsPlace, openProjectSettings } from './openSettings.ts';
import { ProfileWriter } from './profileWriter.ts';
import { commandId, settings, views } from '../names.ts';
import { showError, showInformation } from '../notifications.ts';
import { errorMessage } from '../errorMessages.ts';
import { addProject } from './addProject.ts';
import { chooseColor, chooseProtection } from './chooseField.ts';
import { connectionMessage, copyToWorkspace, type EditParts, removeProject } from './editProject.ts';
import { exportProjects, importProjects } from './shareProjects.ts';
import { SettingsPage } from './settingsPage.ts';
import { remedyLabels } from '../../protocol/remedyLabels.ts';
import { vscodeStepPrompts } from '../prompts/steps.ts';

export interface ManagementParts extends Omit<EditParts, 'writer'> {
  readonly localKeys: LocalKeys;
  readonly watch: ClientWatch;
  readonly extensionUri: vscode.Uri;
}

/** Adding, changing and removing projects. The bundle loads this file when the user first manages projects. */
export class Management extends DisposableStore {
  readonly #parts: EditParts & ManagementParts;
  readonly page: SettingsPage;

  constructor(parts: ManagementParts) {
    super();
    this.#parts = { ...parts, writer: new ProfileWriter() };
    const addAnother = (): Promise<void> => showingErrors(async () => void (await this.#addProject()));
    this.page = this.add(new SettingsPage({ ...this.#parts, addProject: addAnother }));
  }

  restorePage({ panel, closeSignal }: RestoredPanel): void {
    if (!closeSignal.aborted) this.page.restore(panel);
  }

  async editProject(argument: ProjectArgument): Promise<void> {
    const profile = await projectOfArgument(this.#parts.projects, argument);
    if (profile) this.page.open(profile.id);
  }

  /** Adds a project and gives it the focus: the welcome view with the button may be gone by then. */
  async addProject(reveal: (profile: Profile) => Promise<void>): Promise<void> {
    await showingErrors(async () => {
      const added = await this.#addProject();
      const listed = added && (await this.#parts.projects.find(added.id));
      if (listed) await reveal(listed);
    });
  }

  readonly removeProject = this.#changing(removeProject, ({ scope }) => scope !== undefined);
  readonly protectProject = this.#changing(chooseProtection);
  readonly colorProject = this.#changing(chooseColor);
  readonly copyToWorkspace = this.#changing(copyToWorkspace, ({ scope }) => scope === 'user');

  async testConnection(argument: ProjectArgument): Promise<void> {
    const profile = await projectOfArgument(this.#parts.projects, argument);
    if (!profile) return;
    try {
      const test = (): Promise<string> => connectionMessage(this.#parts, profile);
      void showInformation(await vscode.window.withProgress({ location: { viewId: views.projects } }, test));
    } catch (thrown) {
      const retry = { command: commandId('testConnection'), title: remedyLabels().tryAgain, arguments: [profile.id] };
      const { command, title, arguments: args } = remedyCommand(thrown, profile) ?? retry;
      if ((await showError(projectErrorMessage(thrown, profile), title)) !== title) return;
      await vscode.commands.executeCommand(command, ...args);
    }
  }

  /** Hides a project from AI agents, or shows it to them. */
  async agentAccess(argument: ProjectArgument): Promise<void> {
    await this.#toggleListed(settings.agentsHidden, argument, name => ({
      listed: vscode.l10n.t("AI agents no longer see '{0}'.", name),
      unlisted: vscode.l10n.t("AI agents see '{0}' again.", name),
    }));
  }

  /** Leaves a project out of the history, or takes it in again. */
  async toggleHistory(argument: ProjectArgument): Promise<void> {
    await this.#toggleListed(settings.historyExcluded, argument, name => ({
      listed: vscode.l10n.t("The history records no more runs in '{0}'. Entries that it has stay.", name),
      unlisted: vscode.l10n.t("The history records runs in '{0}' again.", name),
    }));
  }

  async importProjects(): Promise<void> {
    await showingErrors(() => importProjects(this.#parts.writer));
  }

  /** Opens the settings file at the list of projects, or at the entry with a problem. */
  async openSettings(place: unknown): Promise<void> {
    await openProjectSettings(decodeSettingsPlace(place) ?? { scope: 'user' });
  }

  async exportProjects(): Promise<void> {
    await showingErrors(() => exportProjects(this.#parts.projects));
  }

  /** Makes a command that changes the project of its argument. */
  #changing(
    change: (parts: EditParts, profile: Profile) => Promise<void>,
    accepts?: (profile: Profile) => boolean,
  ): (argument: ProjectArgument) => Promise<void> {
    return async argument => {
      const profile = await projectOfArgument(this.#parts.projects, argument, accepts);
      if (profile) await showingErrors(() => change(this.#parts, profile));
    };
  }

  /** Adds a project to a list of the user's settings, or removes it. */
  async #toggleListed(
    setting: string,
    argument: ProjectArgument,
    textsFor: (name: string) => { readonly listed: string; readonly unlisted: string },
  ): Promise<void> {
    const { projects } = this.#parts;
    const profile = await projectOfArgument(projects, argument);
    if (!profile) return;
    const { listed, unlisted } = textsFor(profile.name);
    await showingErrors(async () => {
      const wasListed = isListed(setting, profile);
      const { profiles } = await projects.list();
      const isNowListed = await toggleListed(setting, profile, profiles);
      const kept = vscode.l10n.t("The workspace settings list '{0}'. Remove it there from {1}.", profile.name, setting);
      void showInformation(!isNowListed ? unlisted : wasListed ? kept : listed);
    });
  }

  async #addProject(): Promise<Profile | undefined> {
    const added = await addProject({
      ...this.#parts,
      prompts: vscodeStepPrompts,
      findProject: id => this.#parts.projects.find(id),
    });
    if (added) void showInformation(added.message);
    return added?.profile;
  }
}

/** VS Code shows no useful message when a command rejects, so this does. */
async function showingErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    void showError(errorMessage(thrown));
  }
}
