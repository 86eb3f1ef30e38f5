import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { Catalog, type RowCount } from '../../model/catalog/catalog.ts';
import type { Profile } from '../../model/profiles.ts';
import { type Clients, connectionOf } from './clients.ts';
import { isKeyOf, type KeyStore } from './keyStore.ts';
import type { Projects } from './projects.ts';

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
