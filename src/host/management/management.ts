import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import type { TestOutcome } from '../../protocol/settings.ts';
import { type ProjectArgument, resolveProject } from '../commands/projectArgument.ts';
import { remedyLabels } from '../remedies.ts';
import type { ClientWatch } from '../connections/clients.ts';
import type { LocalKeys } from '../connections/localServiceKeys.ts';
import { ProfileWriter } from '../connections/profileSettings.ts';
import { commands, views } from '../names.ts';
import { showError, showInformation } from '../notifications.ts';
import { errorMessage } from '../errorMessages.ts';
import type { RestoredPanel } from '../webviews/restoredPanels.ts';
import { addProject, type AddProjectParts } from './addProject.ts';
import { chooseColor, chooseProtection } from './chooseField.ts';
import { copyToWorkspace, type EditParts, removeProject, testProject } from './editProject.ts';
import { SettingsPage } from './settingsPage.ts';
import { exportProjects, importProjects } from './shareProjects.ts';

export interface ManagementParts extends Omit<EditParts, 'writer'> {
  readonly localKeys: LocalKeys;
  readonly watch: ClientWatch;
  readonly extensionUri: vscode.Uri;
}

/** All that somebody who manages projects needs, and nobody else: a file of its own, read when it is first asked for. */
export class Management implements Disposable {
  readonly #parts: EditParts & AddProjectParts;
  readonly #page: SettingsPage;

  constructor(parts: ManagementParts) {
    this.#parts = { ...parts, writer: new ProfileWriter() };
    const add = async (): Promise<void> => told(async () => void (await addProject(this.#parts)));
    this.#page = new SettingsPage({ ...this.#parts, add, extensionUri: parts.extensionUri });
  }

  openPage(): void {
    this.#page.open();
  }

  restorePage({ panel, closed }: RestoredPanel): void {
    if (!closed.aborted) this.#page.restore(panel);
  }

  /** Shows the form of a project. */
  async editProject(argument: ProjectArgument): Promise<void> {
    const profile = await resolveProject(this.#parts.projects, argument);
    if (profile) this.#page.open(profile.id);
  }

  /** Adds a project and shows it, since what was asked from, as the welcome view, may be gone by then. */
  async addProject(reveal: (profile: Profile) => Promise<void>): Promise<void> {
    await told(async () => {
      const added = await addProject(this.#parts);
      const listed = added && (await this.#parts.projects.find(added.id));
      if (listed) await reveal(listed);
    });
  }

  async removeProject(argument: ProjectArgument): Promise<void> {
    const profile = await resolveProject(this.#parts.projects, argument, ({ scope }) => scope !== undefined);
    if (profile) await told(() => removeProject(this.#parts, profile));
  }

  async testConnection(argument: ProjectArgument): Promise<void> {
    const profile = await resolveProject(this.#parts.projects, argument);
    if (!profile) return;
    const location = { viewId: views.projects };
    const test = (): Promise<TestOutcome> => testProject(this.#parts, profile);
    const { remedy, sentence } = await vscode.window.withProgress({ location }, test);
    if (!remedy) {
      void showInformation(sentence);
      return;
    }
    const label = remedyLabels()[remedy];
    if ((await showError(sentence, label)) !== label) return;
    const command = remedy === 'tryAgain' ? commands.testConnection : commands[remedy];
    await vscode.commands.executeCommand(command, profile.id);
  }

  async protectProject(argument: ProjectArgument): Promise<void> {
    const profile = await resolveProject(this.#parts.projects, argument);
    if (profile) await told(() => chooseProtection(this.#parts, profile));
  }

  async colorProject(argument: ProjectArgument): Promise<void> {
    const profile = await resolveProject(this.#parts.projects, argument);
    if (profile) await told(() => chooseColor(this.#parts, profile));
  }

  async copyToWorkspace(argument: ProjectArgument): Promise<void> {
    const profile = await resolveProject(this.#parts.projects, argument, ({ scope }) => scope === 'user');
    if (profile) await told(() => copyToWorkspace(this.#parts, profile));
  }

  async importProjects(): Promise<void> {
    await told(() => importProjects(this.#parts.writer));
  }

  async exportProjects(): Promise<void> {
    await told(() => exportProjects(this.#parts.projects));
  }

  dispose(): void {
    this.#page.dispose();
  }
}

/** What goes wrong is told here, since whoever runs a command sees nothing else of it. */
async function told(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    void showError(errorMessage(thrown));
  }
}
