import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { decodeProfiles, type Profile, type ProfileProblem } from '../../model/profiles.ts';
import { settings } from '../names.ts';
import type { EmbeddedService } from '../local/embeddedService.ts';
import type { LocalService } from './localService.ts';

export interface KnownProjects {
  readonly profiles: readonly Profile[];
  readonly problems: readonly ProfileProblem[];
  /** Why the local service's projects are missing, when one is configured and cannot be reached. */
  readonly localFault: unknown;
}

/** The projects of the settings and of the local service. Looked up when somebody wants to see them, then remembered. */
export class Projects implements Disposable {
  readonly #local: LocalService;
  readonly #embedded: EmbeddedService;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<void>());
  #known: Promise<KnownProjects> | undefined;

  readonly onDidChange = this.#changes.event;

  constructor(local: LocalService, embedded: EmbeddedService) {
    this.#local = local;
    this.#embedded = embedded;
    this.#owned.add(embedded.onDidChange(() => this.refresh()));
    this.#owned.add(
      vscode.workspace.onDidChangeConfiguration(event => {
        if (Object.values(settings).some(name => event.affectsConfiguration(name))) this.refresh();
      }),
    );
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

  refresh(): void {
    this.#known = undefined;
    this.#changes.fire();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #look(): Promise<KnownProjects> {
    const configuration = vscode.workspace.getConfiguration();
    const { profiles, problems } = decodeProfiles(configuration.get(settings.projects));
    const folder = configuration.get<string>(settings.localServiceFolder, '');
    let local: readonly Profile[] = [];
    let localFault: unknown;
    try {
      local = await (folder ? this.#local.profiles(folder) : this.#embedded.remembered());
    } catch (thrown) {
      localFault = thrown;
    }
    const named = new Set(profiles.map(addressOf));
    return { profiles: [...profiles, ...local.filter(each => !named.has(addressOf(each)))], problems, localFault };
  }
}

/** A project of the local service may stand in the settings as well, where it has a name of the user's own. */
const addressOf = ({ origin, projectId }: Profile): string => `${origin} ${projectId}`;
