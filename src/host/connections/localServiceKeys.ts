import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProjectError } from '../../base/errors.ts';
import type { Client, ClientLogger } from '../../client/index.ts';
import { makeProfile, type Profile } from '../../model/profiles.ts';
import { decodeServiceFile, type ServiceFile, serviceFileName } from '../../wire/serviceFile.ts';
import type { KeyStore, StoredKey } from './keyStore.ts';

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
    const service = await this.#readServiceFile(folder);
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
    await this.#asAdmin(await this.#readServiceFile(folder), admin => this.#issue(admin, profile));
  }

  async revoke(folder: string, keyId: string): Promise<void> {
    await this.#asAdmin(await this.#readServiceFile(folder), admin => admin.revokeKey(keyId));
  }

  async #issue(admin: Client, profile: Profile): Promise<void> {
    const { projectId, holderId: projectHolder = '', projectName = '' } = profile;
    const { apiKey, keyId } = await admin.issueKey({ projectId, projectHolder, projectName, user: 'vscode' });
    await this.#keys.setIssued(profile, apiKey, keyId);
  }

  async #asAdmin<T>({ baseUrl, pathPrefix, adminKey }: ServiceFile, work: (admin: Client) => Promise<T>): Promise<T> {
    const client = await import('../../client/index.ts');
    await using admin = new client.Client({
      baseUrl,
      pathPrefix,
      apiKey: adminKey,
      logger: this.#logger,
      // The list of projects waits for this call, and a service on this machine is there or it is not.
      retries: 0,
    });
    return await work(admin);
  }

  async #readServiceFile(folder: string): Promise<ServiceFile> {
    const file = decodeServiceFile(await readFile(join(folder, serviceFileName), 'utf8').catch(() => ''));
    if (file) return file;
    throw new ProjectError('transport', 'local_service_not_running', `No service is running for ${folder}.`);
  }
}
