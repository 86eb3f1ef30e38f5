import type { Client, ClientLogger } from '../../client/index.ts';
import { makeProfile, type Profile } from '../../model/profiles.ts';
import type { ServiceFile } from '../../wire/serviceFile.ts';
import type { KeyStore, StoredKey } from './keyStore.ts';
import { connectProven, readServiceFile } from './provenConnection.ts';

/** Issues and revokes keys at the local service that the settings choose. */
export interface LocalKeys {
  /** Issues a key for a project and stores it in place of the former one, which stays valid until it is revoked. */
  issue(profile: Profile): Promise<void>;
  revoke(keyId: string): Promise<void>;
}

/**
 * Revokes a key that is no longer stored, so that nobody who finds it can use it. Nobody waits for it: the service may be
 * gone for good. The log shows the outcome.
 */
export function revokeInBackground(localKeys: Pick<LocalKeys, 'revoke'>, stored: StoredKey | undefined): void {
  if (stored?.issuedAs !== undefined) void localKeys.revoke(stored.issuedAs).catch(() => undefined);
}

/**
 * The projects and keys of a service on this machine. The service writes its address and its admin key into its data
 * folder, which only this user can read.
 */
export class LocalServiceKeys {
  readonly #keys: KeyStore;
  readonly #logger: ClientLogger | undefined;

  constructor(keys: KeyStore, logger?: ClientLogger) {
    this.#keys = keys;
    this.#logger = logger;
  }

  /** Lists the projects of the service. A project without a stored key is issued one. */
  async profiles(folder: string): Promise<Profile[]> {
    const service = await readServiceFile(folder);
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
    await this.#asAdmin(await readServiceFile(folder), admin => this.#issue(admin, profile));
  }

  async revoke(folder: string, keyId: string): Promise<void> {
    await this.#asAdmin(await readServiceFile(folder), admin => admin.revokeKey(keyId));
  }

  async #issue(admin: Client, profile: Profile): Promise<void> {
    const { projectId, holderId: projectHolder = '', projectName = '' } = profile;
    const { apiKey, keyId } = await admin.issueKey({ projectId, projectHolder, projectName, user: 'vscode' });
    await this.#keys.setIssued(profile, apiKey, keyId);
  }

  async #asAdmin<T>(service: ServiceFile, work: (admin: Client) => Promise<T>): Promise<T> {
    const { baseUrl, pathPrefix, adminKey } = service;
    const client = await import('../../client/index.ts');
    await using admin = new client.Client({
      baseUrl,
      pathPrefix,
      apiKey: adminKey,
      connect: () => connectProven(service),
      logger: this.#logger,
      // The list of projects waits for this call, and a service on this machine is there or it is not.
      retries: 0,
    });
    return await work(admin);
  }
}
