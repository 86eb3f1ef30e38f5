import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Catalog } from '../../model/catalog/catalog.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Clients } from './clients.ts';
import type { KeyStore } from './keyStore.ts';
import type { Projects } from './projects.ts';

/** What each project's database holds, as far as somebody wanted to know. */
export class Catalogs implements Disposable {
  readonly #clients: Clients;
  readonly #catalogs = new Map<string, Catalog>();
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<string | undefined>());

  /** Tells the id of the project whose catalog is out of date; undefined for all. */
  readonly onDidChange = this.#changes.event;

  constructor(clients: Clients, projects: Projects, keys: KeyStore) {
    this.#clients = clients;
    this.#owned.add(projects.onDidChange(() => this.#forgetAll()));
    this.#owned.add(keys.onDidChange(() => this.#forgetAll()));
  }

  for(profile: Profile): Catalog {
    const known = this.#catalogs.get(profile.id);
    if (known) return known;
    const catalog = new Catalog(async () => (await this.#clients.for(profile)).project(profile.projectId));
    catalog.onChange(() => this.#changes.fire(profile.id));
    this.#catalogs.set(profile.id, catalog);
    return catalog;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #forgetAll(): void {
    this.#catalogs.clear();
    this.#changes.fire(undefined);
  }
}
