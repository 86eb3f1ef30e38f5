import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import type { Projects } from './projects.ts';

const storageKey = 'sqlProjects.documentProjects';

/** Which project the statements of a document go to. Asked once for each document, and remembered in the workspace. */
export class DocumentProjects {
  readonly #projects: Projects;
  readonly #memory: vscode.Memento;

  constructor(projects: Projects, memory: vscode.Memento) {
    this.#projects = projects;
    this.#memory = memory;
  }

  async assign(document: vscode.Uri, profile: Profile): Promise<void> {
    await this.#memory.update(storageKey, { ...this.#assigned(), [document.toString()]: profile.id });
  }

  /** The document's project. With several to choose from the user is asked; undefined when nothing was chosen. */
  async projectOf(document: vscode.Uri): Promise<Profile | undefined> {
    const { profiles } = await this.#projects.known();
    const id = this.#assigned()[document.toString()];
    const assigned = profiles.find(profile => profile.id === id);
    if (assigned) return assigned;
    const chosen = profiles.length > 1 ? await pickProject(profiles) : profiles[0];
    if (chosen) await this.assign(document, chosen);
    return chosen;
  }

  #assigned(): Readonly<Record<string, string>> {
    return this.#memory.get<Record<string, string>>(storageKey, {});
  }
}

export async function pickProject(profiles: readonly Profile[]): Promise<Profile | undefined> {
  const items = profiles.map(profile => ({ label: profile.name, description: profile.baseUrl, profile }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Choose a project'),
    matchOnDescription: true,
  });
  return picked?.profile;
}
