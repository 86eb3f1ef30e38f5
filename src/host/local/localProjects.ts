import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import type { ReachableProject } from '../connections/clients.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import { readLocalFolder } from '../connections/profileSettings.ts';
import { LocalServiceKeys } from '../connections/localServiceKeys.ts';
import { connectorTo } from '../../model/provenConnection.ts';
import type { ClientListeners } from '../log/callLog.ts';
import { EmbeddedService } from './embeddedService.ts';
import { tryLocally, type SampleParts } from './tryLocally.ts';

interface LocalProjectsParts {
  readonly context: vscode.ExtensionContext;
  readonly keys: KeyStore;
  readonly listeners: ClientListeners;
  readonly onDidChange: () => void;
}

/**
 * The projects of services on this machine: of the service whose data folder the settings name, and of the embedded one. An
 * empty `folder` stands for the embedded one.
 */
export class LocalProjects extends DisposableStore {
  readonly #serviceKeys: LocalServiceKeys;
  readonly #embeddedService: EmbeddedService;
  readonly #storage: vscode.Uri;

  constructor({ context, keys, listeners, onDidChange }: LocalProjectsParts) {
    super();
    this.#serviceKeys = new LocalServiceKeys(keys, listeners);
    this.#storage = context.globalStorageUri;
    this.#embeddedService = this.add(
      new EmbeddedService({
        folder: vscode.Uri.joinPath(context.globalStorageUri, 'localService').fsPath,
        script: context.asAbsolutePath('dist/service.mjs'),
        serviceKeys: this.#serviceKeys,
        keys,
      }),
    );
    this.add(this.#embeddedService.onDidChange(onDidChange));
    this.add(
      // The user may come from another window, and have tried the service there.
      vscode.window.onDidChangeWindowState(({ focused }) => void (focused && this.#embeddedService.refresh())),
    );
  }

  async profiles(folder: string): Promise<readonly Profile[]> {
    return folder ? this.#serviceKeys.profiles(folder) : this.#embeddedService.listedProjects();
  }

  /** Asks the embedded service which projects it has now. A service that was never used stays stopped. */
  async relist(): Promise<void> {
    const isEmpty = (await this.#embeddedService.listedProjects()).length === 0;
    if (readLocalFolder() === '' && !isEmpty) await this.#embeddedService.start();
  }

  /** Starts the embedded service for one of its projects. Others connect only to a service of the folder that proves itself. */
  async ensureRunning(folder: string, profile: Profile): Promise<ReachableProject> {
    const embedded = await this.#embeddedService.ensureRunning(profile);
    return embedded ?? { profile, connect: connectorTo(this.dataFolder(folder), profile) };
  }

  dataFolder(folder: string): string {
    return folder || this.#embeddedService.dataFolder;
  }

  /** Whether a call of the project would start the embedded service. */
  wouldStartService(folder: string, { source }: Profile): boolean {
    return source === 'local' && folder === '' && !this.#embeddedService.isInUse;
  }

  async issue(folder: string, profile: Profile): Promise<void> {
    await this.#serviceKeys.issue(folder || (await this.#embeddedService.runningFolder()), profile);
  }

  async revoke(folder: string, keyId: string): Promise<void> {
    await this.#serviceKeys.revoke(folder || (await this.#embeddedService.runningFolder()), keyId);
  }

  async tryLocally(parts: Omit<SampleParts, 'storage'>): Promise<void> {
    return tryLocally({ ...parts, storage: this.#storage }, this.#embeddedService);
  }
}
