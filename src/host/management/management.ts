import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import { type ProjectArgument, projectOfArgument } from '../commands/projectArgument.ts';
import { projectErrorMessage, remedyCommand } from '../remedies.ts';
import type { ClientWatch } from '../connections/clients.ts';
import type { LocalKeys } from '../connections/localKeys.ts';
import { ProfileWriter } from './profileWriter.ts';
import { commands, views } from '../names.ts';
import { showError, showInformation } from '../notifications.ts';
import { errorMessage } from '../errorMessages.ts';
import type { RestoredPanel } from '../webviews/restoredPanels.ts';
import { addProject } from './addProject.ts';
import { chooseAgentAccess } from './agentAccess.ts';
import { chooseColor, chooseProtection } from './chooseField.ts';
import { connectionMessage, copyToWorkspace, type EditParts, removeProject } from './editProject.ts';
import { exportProjects, importProjects } from './shareProjects.ts';
import { SettingsPage } from './settingsPage.ts';
import { remedyLabels } from '../../protocol/remedyLabels.ts';
import { vscodeStepPrompts } from '../prompts/vscodeStepPrompts.ts';

export interface ManagementParts extends Omit<EditParts, 'writer'> {
  readonly localKeys: LocalKeys;
  readonly watch: ClientWatch;
  readonly extensionUri: vscode.Uri;
}

/** Adding, changing and removing projects. The bundle loads this file when the user first manages projects. */
export class Management implements Disposable {
  readonly #parts: EditParts & ManagementParts;
  readonly #page: SettingsPage;

  constructor(parts: ManagementParts) {
    this.#parts = { ...parts, writer: new ProfileWriter() };
    this.#page = new SettingsPage({
      ...this.#parts,
      addProject: () => showingErrors(async () => void (await this.#addProject())),
    });
  }

  openPage(): void {
    this.#page.open();
  }

  restorePage({ panel, closeSignal }: RestoredPanel): void {
    if (!closeSignal.aborted) this.#page.restore(panel);
  }

  async editProject(argument: ProjectArgument): Promise<void> {
    const profile = await projectOfArgument(this.#parts.projects, argument);
    if (profile) this.#page.open(profile.id);
  }

  /** Adds a project and gives it the focus: the welcome view with the button may be gone by then. */
  async addProject(reveal: (profile: Profile) => Promise<void>): Promise<void> {
    await showingErrors(async () => {
      const added = await this.#addProject();
      const listed = added && (await this.#parts.projects.find(added.id));
      if (listed) await reveal(listed);
    });
  }

  async removeProject(argument: ProjectArgument): Promise<void> {
    const profile = await projectOfArgument(this.#parts.projects, argument, ({ scope }) => scope !== undefined);
    if (profile) await showingErrors(() => removeProject(this.#parts, profile));
  }

  async testConnection(argument: ProjectArgument): Promise<void> {
    const profile = await projectOfArgument(this.#parts.projects, argument);
    if (!profile) return;
    try {
      const test = (): Promise<string> => connectionMessage(this.#parts, profile);
      void showInformation(await vscode.window.withProgress({ location: { viewId: views.projects } }, test));
    } catch (thrown) {
      const retry = { command: commands.testConnection, title: remedyLabels().tryAgain, arguments: [profile.id] };
      const { command, title, arguments: args } = remedyCommand(thrown, profile) ?? retry;
      if ((await showError(projectErrorMessage(thrown, profile), title)) !== title) return;
      await vscode.commands.executeCommand(command, ...args);
    }
  }

  async protectProject(argument: ProjectArgument): Promise<void> {
    const profile = await projectOfArgument(this.#parts.projects, argument);
    if (profile) await showingErrors(() => chooseProtection(this.#parts, profile));
  }

  async colorProject(argument: ProjectArgument): Promise<void> {
    const profile = await projectOfArgument(this.#parts.projects, argument);
    if (profile) await showingErrors(() => chooseColor(this.#parts, profile));
  }

  async agentAccess(argument: ProjectArgument): Promise<void> {
    const profile = await projectOfArgument(this.#parts.projects, argument);
    if (profile) await showingErrors(() => chooseAgentAccess(this.#parts.projects, profile));
  }

  async copyToWorkspace(argument: ProjectArgument): Promise<void> {
    const profile = await projectOfArgument(this.#parts.projects, argument, ({ scope }) => scope === 'user');
    if (profile) await showingErrors(() => copyToWorkspace(this.#parts, profile));
  }

  async importProjects(): Promise<void> {
    await showingErrors(() => importProjects(this.#parts.writer));
  }

  /** Opens the settings file at the list of projects, or at the entry with a problem. */
  async openSettings(place: unknown): Promise<void> {
    const { decodeSettingsPlace, openProjectSettings } = await import('./openSettings.ts');
    await openProjectSettings(decodeSettingsPlace(place) ?? { scope: 'user' });
  }

  async exportProjects(): Promise<void> {
    await showingErrors(() => exportProjects(this.#parts.projects));
  }

  dispose(): void {
    this.#page.dispose();
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
