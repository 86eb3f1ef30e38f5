import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ClientLogger } from '../../client/index.ts';
import type { Profile } from '../../model/profiles.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import { LocalServiceKeys } from '../connections/localServiceKeys.ts';
import type { Projects } from '../connections/projects.ts';
import { EmbeddedService } from './embeddedService.ts';
import type { KeeperFiles } from './startKeeper.ts';
import { type Reveal, tryLocally } from './tryLocally.ts';

export interface LocalProjectsParts {
  readonly context: vscode.ExtensionContext;
  readonly keys: KeyStore;
  readonly logger: ClientLogger;
  readonly onDidChange: () => void;
}

/** The projects of services on this machine. A file of its own in the build, read when projects are listed. */
export class LocalProjects implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #found: LocalServiceKeys;
  readonly #embedded: EmbeddedService;

  constructor({ context, keys, logger, onDidChange }: LocalProjectsParts) {
    this.#found = new LocalServiceKeys(keys, logger);
    this.#embedded = this.#owned.add(new EmbeddedService({ files: filesOf(context), local: this.#found, keys }));
    this.#owned.add(this.#embedded.onDidChange(onDidChange));
    this.#owned.add(
      // Whoever comes from another window may have tried it there.
      vscode.window.onDidChangeWindowState(({ focused }) => void (focused && this.#embedded.lookAgain())),
    );
  }

  /** Of the service whose data folder the settings name; without one, of the service that the extension brings along. */
  async profiles(folder: string): Promise<readonly Profile[]> {
    return folder ? this.#found.profiles(folder) : this.#embedded.remembered();
  }

  /** A profile as it can be used now, once its service is up. */
  async ensureRunning(profile: Profile): Promise<Profile> {
    return this.#embedded.ensureRunning(profile);
  }

  /** Has a new key issued, by the service that the setting names or by the one that comes along. */
  async issue(folder: string, profile: Profile): Promise<void> {
    await (folder ? this.#found.issue(folder, profile) : this.#embedded.issue(profile));
  }

  /** Ends a key that was issued for us at the service that the setting names, or at the one that comes along. */
  async revoke(folder: string, keyId: string): Promise<void> {
    await (folder ? this.#found.revoke(folder, keyId) : this.#embedded.revoke(keyId));
  }

  async tryLocally(projects: Projects, reveal: Reveal): Promise<void> {
    return tryLocally(projects, this.#embedded, reveal);
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

function filesOf(context: vscode.ExtensionContext): KeeperFiles {
  return {
    folder: vscode.Uri.joinPath(context.globalStorageUri, 'localService').fsPath,
    keeper: context.asAbsolutePath('dist/keeper.mjs'),
    service: context.asAbsolutePath('dist/service.mjs'),
  };
}
