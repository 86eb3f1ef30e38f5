import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Catalog } from '../../model/catalog/catalog.ts';
import type { Profile } from '../../model/profiles.ts';
import { type Clients, connectionOf } from './clients.ts';
import { isKeyOf, type KeyStore } from './keyStore.ts';
import type { Projects } from './projects.ts';

interface Known {
  readonly profile: Profile;
  readonly catalog: Catalog;
}

/** What each project's database holds, as far as somebody wanted to know. */
export class Catalogs implements Disposable {
  readonly #clients: Clients;
  readonly #known = new Map<string, Known>();
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<string | undefined>());

  /** Tells the id of the project whose catalog is out of date; undefined for all. */
  readonly onDidChange = this.#changes.event;

  constructor(clients: Clients, projects: Projects, keys: KeyStore) {
    this.#clients = clients;
    // A project that is reached as before holds what it held, whatever else its settings say now.
    this.#owned.add(projects.onDidChange(() => this.#changes.fire(undefined)));
    this.#owned.add(
      keys.onDidChange(change => {
        for (const { profile, catalog } of this.#known.values()) if (isKeyOf(profile, change)) catalog.forget();
      }),
    );
  }

  for(profile: Profile): Catalog {
    const known = this.#known.get(profile.id);
    if (known && connectionOf(known.profile) === connectionOf(profile)) return known.catalog;
    const catalog = new Catalog(async () => (await this.#clients.for(profile)).project(profile.projectId));
    catalog.onChange(() => this.#changes.fire(profile.id));
    this.#known.set(profile.id, { profile, catalog });
    return catalog;
  }

  /** Forgets what is known of every project. Whoever shows it has to be told to look again. */
  forgetAll(): void {
    this.#known.clear();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
