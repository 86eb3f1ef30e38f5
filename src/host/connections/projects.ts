import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { ProjectError } from '../../base/errors.ts';
import { mergeLocalProfiles } from '../../model/localProfiles.ts';
import { mergeProfiles, type Profile, type ProfileProblem } from '../../model/profiles.ts';
import { settings } from '../names.ts';
import { onSettingChange, readLocalFields, readLocalFolder, readProfileSettings } from './profileSettings.ts';

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
