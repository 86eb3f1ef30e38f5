import type { Client } from '../../client/index.ts';
import { makeProfile, type Profile } from '../../model/profiles.ts';
import type { ServiceFile } from '../../wire/serviceFile.ts';
import type { ClientListeners } from '../log/callLog.ts';
import type { KeyStore } from './keyStore.ts';
import { connectToService, requireServiceFile } from '../../model/provenConnection.ts';

/** The projects and keys of a service on this machine. Only this user can read its data folder, which has the admin key. */
export class LocalServiceKeys {
  readonly #keys: KeyStore;
  readonly #listeners: ClientListeners;

  constructor(keys: KeyStore, listeners: ClientListeners = {}) {
    this.#keys = keys;
    this.#listeners = listeners;
  }

  /** Lists the projects of the service, and has a key issued for each that has none. */
  async profiles(folder: string): Promise<Profile[]> {
    const service = await requireServiceFile(folder);
    const { baseUrl, pathPrefix } = service;
    return this.#asAdmin(service, async admin => {
      const profiles = ((await admin.listProjects()) ?? []).map(({ projectId, holderId, projectName }) =>
        makeProfile({ baseUrl, pathPrefix, projectId, holderId, projectName, source: 'local' }),
      );
      for (const profile of profiles) {
        if ((await this.#keys.get(profile)) === undefined) await this.#issue(admin, profile);
      }
      return profiles;
    });
  }

  async issue(folder: string, profile: Profile): Promise<void> {
    await this.#asAdmin(await requireServiceFile(folder), admin => this.#issue(admin, profile));
  }

  async revoke(folder: string, keyId: string): Promise<void> {
    await this.#asAdmin(await requireServiceFile(folder), admin => admin.revokeKey(keyId));
  }

  async #issue(admin: Client, profile: Profile): Promise<void> {
    const { projectId, holderId = '', projectName = '' } = profile;
    const { apiKey, keyId } = await admin.issueKey({ projectId, holderId, projectName, user: 'vscode' });
    await this.#keys.setIssued(profile, apiKey, keyId);
  }

  async #asAdmin<T>(service: ServiceFile, work: (admin: Client) => Promise<T>): Promise<T> {
    const { baseUrl, pathPrefix, adminKey } = service;
    const client = await import('../../client/index.ts');
    await using admin = new client.Client({
      baseUrl,
      pathPrefix,
      apiKey: adminKey,
      connect: () => connectToService(service),
      ...this.#listeners,
      // The list of projects waits for this call. A service on this machine answers at once or not at all.
      retries: 0,
    });
    return await work(admin);
  }
}
