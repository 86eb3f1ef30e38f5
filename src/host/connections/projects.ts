import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { ProjectError } from '../../base/errors.ts';
import { mergeLocalProfiles } from '../../model/localProfiles.ts';
import { mergeProfiles, type Profile, type ProfileProblem } from '../../model/profiles.ts';
import { Catalog, type RowCount } from '../../model/catalog/catalog.ts';
import { settings } from '../names.ts';
import { onSettingChange, readLocalFields, readLocalFolder, readProfileSettings } from './profileSettings.ts';
import { type Clients, connectionOf } from './clients.ts';
import { isKeyOf, type KeyStore } from './keyStore.ts';

export interface ListedProjects {
  readonly profiles: readonly Profile[];
  readonly problems: readonly ProfileProblem[];
  /** Why the projects of the local service are missing. Undefined if they are not. */
  readonly localFault: unknown;
}

/** An empty `folder` stands for the extension's own service. */
type ListLocalProfiles = (folder: string) => Promise<readonly Profile[]>;

/** A change of any other setting leaves the list of projects as it is. */
const projectSettings = [settings.projects, settings.localServiceFolder, settings.localServiceProjects];

/** The projects of the settings and of the local service. The list is read on first use and cached until a refresh. */
export class Projects extends DisposableStore {
  readonly #listLocalProfiles: ListLocalProfiles;
  readonly #changes = this.add(new vscode.EventEmitter<void>());
  #cachedList: Promise<ListedProjects> | undefined;

  readonly onDidChange = this.#changes.event;

  constructor(listLocalProfiles: ListLocalProfiles) {
    super();
    this.#listLocalProfiles = listLocalProfiles;
    this.add(onSettingChange(projectSettings, () => this.refresh()));
    this.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.refresh()));
  }

  list(): Promise<ListedProjects> {
    this.#cachedList ??= this.#readList();
    return this.#cachedList;
  }

  async hasProjects(): Promise<boolean> {
    return (await this.list()).profiles.length > 0;
  }

  async find(id: string): Promise<Profile | undefined> {
    return (await this.list()).profiles.find(profile => profile.id === id);
  }

  /** Throws `project_gone` when no project has the id. */
  async get(id: string): Promise<Profile> {
    const profile = await this.find(id);
    if (!profile) throw new ProjectError('misuse', 'project_gone', 'The project is no longer listed.');
    return profile;
  }

  refresh(): void {
    this.#cachedList = undefined;
    this.#changes.fire();
  }

  async #readList(): Promise<ListedProjects> {
    const { profiles, problems } = mergeProfiles(readProfileSettings());
    let local: readonly Profile[] = [];
    let localFault: unknown;
    try {
      local = await this.#listLocalProfiles(readLocalFolder());
    } catch (thrown) {
      localFault = thrown;
    }
    const all = mergeLocalProfiles(profiles, local, readLocalFields());
    return { profiles: all.profiles, problems: [...problems, ...all.problems], localFault };
  }
}

/** The projects, and the clients and catalogs that reach them. */
export interface ProjectParts {
  readonly projects: Projects;
  readonly clients: Clients;
  readonly catalogs: Catalogs;
}

/** One catalog for each project, made on first use. */
export class Catalogs extends DisposableStore {
  readonly #clients: Clients;
  readonly #entries = new Map<string, { readonly profile: Profile; readonly catalog: Catalog }>();
  readonly #changes = this.add(new vscode.EventEmitter<string | undefined>());
  readonly #counts = this.add(new vscode.EventEmitter<RowCount & { readonly profileId: string }>());

  /** Fires with the id of the project whose catalog is out of date; with undefined for all projects. */
  readonly onDidChange = this.#changes.event;
  readonly onDidCount = this.#counts.event;

  constructor(clients: Clients, projects: Projects, keys: KeyStore) {
    super();
    this.#clients = clients;
    // The catalogs stay: `for()` replaces a catalog whose connection has changed.
    this.add(projects.onDidChange(() => this.#changes.fire(undefined)));
    this.add(
      keys.onDidChange(change => {
        for (const { profile, catalog } of this.#entries.values()) if (isKeyOf(profile, change)) catalog.forget();
      }),
    );
  }

  for(profile: Profile): Catalog {
    const entry = this.#entries.get(profile.id);
    if (entry && connectionOf(entry.profile) === connectionOf(profile)) return entry.catalog;
    const catalog = new Catalog(async isQuiet =>
      (await this.#clients.for(profile, isQuiet)).project(profile.projectId),
    );
    catalog.onChange(() => this.#changes.fire(profile.id));
    catalog.onCount(count => this.#counts.fire({ ...count, profileId: profile.id }));
    this.#entries.set(profile.id, { profile, catalog });
    return catalog;
  }

  /** Drops all catalogs without an event: the caller refreshes the projects, which fires one. */
  forgetAll(): void {
    this.#entries.clear();
  }
}
