import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Catalog, type RowCount } from '../../model/catalog/catalog.ts';
import type { Profile } from '../../model/profiles.ts';
import { type Clients, connectionOf } from './clients.ts';
import { isKeyOf, type KeyStore } from './keyStore.ts';
import type { Projects } from './projects.ts';

/** One catalog for each project, made on first use. */
export class Catalogs implements Disposable {
  readonly #clients: Clients;
  readonly #entries = new Map<string, { readonly profile: Profile; readonly catalog: Catalog }>();
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<string | undefined>());
  readonly #counts = this.#owned.add(new vscode.EventEmitter<RowCount & { readonly profileId: string }>());

  /** Fires with the id of the project whose catalog is out of date; with undefined for all projects. */
  readonly onDidChange = this.#changes.event;
  readonly onDidCount = this.#counts.event;

  constructor(clients: Clients, projects: Projects, keys: KeyStore) {
    this.#clients = clients;
    // The catalogs stay: `for()` replaces a catalog whose connection has changed.
    this.#owned.add(projects.onDidChange(() => this.#changes.fire(undefined)));
    this.#owned.add(
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

  dispose(): void {
    this.#owned.dispose();
  }
}
