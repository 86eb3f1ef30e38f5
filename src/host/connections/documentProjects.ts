import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { asRecord, asString } from '../../base/shape.ts';
import type { Profile } from '../../model/profiles.ts';
import { sureProject } from '../../model/projectChoice.ts';
import type { Projects } from './projects.ts';

const storageKey = 'sqlProjects.documentProjects';

/**
 * Which project the statements of a document go to. Asked once for each document: for files remembered in the workspace,
 * for untitled ones as long as they are open. A document whose project is not there is never run in another one unasked.
 */
export class DocumentProjects implements Disposable {
  readonly #projects: Projects;
  readonly #memory: vscode.Memento;
  readonly #untitled = new Map<string, string>();
  readonly #owned = new DisposableStore();

  constructor(projects: Projects, memory: vscode.Memento) {
    this.#projects = projects;
    this.#memory = memory;
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#untitled.delete(uri.toString())));
  }

  async assign(document: vscode.Uri, profile: Profile): Promise<void> {
    if (document.scheme === 'untitled') this.#untitled.set(document.toString(), profile.id);
    else await this.#memory.update(storageKey, { ...this.#remembered(), [document.toString()]: profile.id });
  }

  /** The document's project; undefined when nothing was chosen. The user is asked unless there is but one answer. */
  async projectOf(document: vscode.Uri): Promise<Profile | undefined> {
    const { profiles } = await this.#projects.known();
    const name = document.toString();
    const id = this.#untitled.get(name) ?? asString(this.#remembered()[name]);
    const chosen = sureProject(profiles, id) ?? (await pickProject(profiles));
    if (chosen && chosen.id !== id) await this.assign(document, chosen);
    return chosen;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #remembered(): Readonly<Record<string, unknown>> {
    return asRecord(this.#memory.get(storageKey)) ?? {};
  }
}

/** Lets the user choose; undefined when nothing is chosen or there is nothing to choose from. */
export async function pickProject(profiles: readonly Profile[]): Promise<Profile | undefined> {
  if (profiles.length === 0) return undefined;
  const items = profiles.map(profile => ({ label: profile.name, description: profile.baseUrl, profile }));
  const title = vscode.l10n.t('Choose a project');
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return picked?.profile;
}
