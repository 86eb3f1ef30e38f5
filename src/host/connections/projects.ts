import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { ProjectError } from '../../base/errors.ts';
import { withLocal } from '../../model/localFields.ts';
import { mergeProfiles, type Profile, type ProfileProblem } from '../../model/profiles.ts';
import { settings } from '../names.ts';
import type { LocalProjects } from '../local/localProjects.ts';
import { readLocalFields, readLocalFolder, readProfileSettings } from './profileSettings.ts';

export interface KnownProjects {
  readonly profiles: readonly Profile[];
  readonly problems: readonly ProfileProblem[];
  /** Why the local service's projects are missing, when one is configured and cannot be reached. */
  readonly localFault: unknown;
}

/** What says which projects there are, and how they are. The other settings change nothing about them. */
const projectSettings = [settings.projects, settings.localServiceFolder, settings.localServiceProjects];

/** The projects of the settings and of the local service. Looked up when somebody wants to see them, then remembered. */
export class Projects implements Disposable {
  readonly #local: () => Promise<LocalProjects>;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<void>());
  #known: Promise<KnownProjects> | undefined;

  readonly onDidChange = this.#changes.event;

  constructor(local: () => Promise<LocalProjects>) {
    this.#local = local;
    this.#owned.add(
      vscode.workspace.onDidChangeConfiguration(event => {
        if (projectSettings.some(name => event.affectsConfiguration(name))) this.refresh();
      }),
    );
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.refresh()));
  }

  known(): Promise<KnownProjects> {
    this.#known ??= this.#look();
    return this.#known;
  }

  async any(): Promise<boolean> {
    return (await this.known()).profiles.length > 0;
  }

  async find(id: string): Promise<Profile | undefined> {
    return (await this.known()).profiles.find(profile => profile.id === id);
  }

  /** For who has kept no more of a project than its id. */
  async get(id: string): Promise<Profile> {
    const found = await this.find(id);
    if (!found) throw new ProjectError('misuse', 'project_gone', 'The project is not there any more.');
    return found;
  }

  refresh(): void {
    this.#known = undefined;
    this.#changes.fire();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #look(): Promise<KnownProjects> {
    const { profiles, problems } = mergeProfiles(readProfileSettings());
    let local: readonly Profile[] = [];
    let localFault: unknown;
    try {
      local = await (await this.#local()).profiles(readLocalFolder());
    } catch (thrown) {
      localFault = thrown;
    }
    const all = withLocal(profiles, local, readLocalFields());
    return { profiles: all.profiles, problems: [...problems, ...all.problems], localFault };
  }
}
