import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import type { ReachableProject } from '../connections/clients.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import { LocalServiceKeys } from '../connections/localServiceKeys.ts';
import { connectorTo } from '../../model/provenConnection.ts';
import type { ClientListeners } from '../log/callLog.ts';
import { EmbeddedService } from './embeddedService.ts';
import { tryLocally, type TryLocallyParts } from './tryLocally.ts';

export interface LocalProjectsParts {
  readonly context: vscode.ExtensionContext;
  readonly keys: KeyStore;
  readonly listeners: ClientListeners;
  readonly onDidChange: () => void;
}

/**
 * The projects of services on this machine. There are two: the service whose data folder the settings name, which the
 * user runs, and the embedded one. An empty `folder` stands for the embedded one. The bundle loads this file when the
 * projects are listed.
 */
export class LocalProjects implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #configured: LocalServiceKeys;
  readonly #embedded: EmbeddedService;
  readonly #storage: vscode.Uri;

  constructor({ context, keys, listeners, onDidChange }: LocalProjectsParts) {
    this.#configured = new LocalServiceKeys(keys, listeners);
    this.#storage = context.globalStorageUri;
    this.#embedded = this.#owned.add(
      new EmbeddedService({
        folder: vscode.Uri.joinPath(context.globalStorageUri, 'localService').fsPath,
        script: context.asAbsolutePath('dist/service.mjs'),
        serviceKeys: this.#configured,
        keys,
      }),
    );
    this.#owned.add(this.#embedded.onDidChange(onDidChange));
    this.#owned.add(
      // The user may come from another window, and have tried the service there.
      vscode.window.onDidChangeWindowState(({ focused }) => void (focused && this.#embedded.refresh())),
    );
  }

  async profiles(folder: string): Promise<readonly Profile[]> {
    return folder ? this.#configured.profiles(folder) : this.#embedded.listedProjects();
  }

  /**
   * Starts the embedded service if the profile is one of its projects. Its other profiles are those of the service of the
   * folder, and entries of the settings for the same address, with a key that the service issued.
   */
  async ensureRunning(folder: string, profile: Profile): Promise<ReachableProject> {
    const embedded = await this.#embedded.ensureRunning(profile);
    return embedded ?? { profile, connect: connectorTo(this.dataFolder(folder), profile) };
  }

  /** The data folder of the service. */
  dataFolder(folder: string): string {
    return folder || this.#embedded.dataFolder;
  }

  /** Whether a call of the project may start the embedded service. */
  mayStartService(folder: string, { source }: Profile): boolean {
    return source === 'local' && folder === '' && !this.#embedded.isInUse;
  }

  /** Has a new key issued for a project. */
  async issue(folder: string, profile: Profile): Promise<void> {
    await (folder ? this.#configured.issue(folder, profile) : this.#embedded.issue(profile));
  }

  /** Revokes a key that was issued for this extension. */
  async revoke(folder: string, keyId: string): Promise<void> {
    await (folder ? this.#configured.revoke(folder, keyId) : this.#embedded.revoke(keyId));
  }

  async tryLocally(parts: TryLocallyParts): Promise<void> {
    return tryLocally({ ...parts, storage: this.#storage }, this.#embedded);
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
