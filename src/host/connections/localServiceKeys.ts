import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProjectError } from '../../base/errors.ts';
import { makeProfile, type Profile } from '../../model/profiles.ts';
import { decodeServiceFile, type ServiceFile, serviceFileName } from '../../wire/serviceFile.ts';
import type { Client, ClientLogger } from '../../client/index.ts';
import type { KeyStore } from './keyStore.ts';

/** The projects of a service that runs on this machine, found through the file that it writes into its data folder. */
export class LocalServiceKeys {
  readonly #keys: KeyStore;
  readonly #logger: ClientLogger | undefined;

  constructor(keys: KeyStore, logger?: ClientLogger) {
    this.#keys = keys;
    this.#logger = logger;
  }

  /** Its projects, each with a key: one that has none yet is issued one, with the admin key that only this user may read. */
  async profiles(folder: string): Promise<Profile[]> {
    const service = await this.#endpoint(folder);
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

  /** Has a new key issued for a project, in place of the one that it has. */
  async issue(folder: string, profile: Profile): Promise<void> {
    await this.#asAdmin(await this.#endpoint(folder), admin => this.#issue(admin, profile));
  }

  /** Ends a key that was issued for us, so that nobody who found it can use it. */
  async revoke(folder: string, keyId: string): Promise<void> {
    await this.#asAdmin(await this.#endpoint(folder), admin => admin.revokeKey(keyId));
  }

  async #issue(admin: Client, profile: Profile): Promise<void> {
    const { projectId, holderId: projectHolder = '', projectName = '' } = profile;
    const { apiKey, keyId } = await admin.issueKey({ projectId, projectHolder, projectName, user: 'vscode' });
    await this.#keys.set(profile, apiKey, keyId);
  }

  async #asAdmin<T>({ baseUrl, pathPrefix, adminKey }: ServiceFile, work: (admin: Client) => Promise<T>): Promise<T> {
    const { Client: Made } = await import('../../client/index.ts');
    // All projects wait to be listed while this one service is asked, and on this machine it is there or it is not.
    const options = { baseUrl, pathPrefix, apiKey: adminKey, logger: this.#logger, retries: 0 };
    await using admin = new Made(options);
    return await work(admin);
  }

  async #endpoint(folder: string): Promise<ServiceFile> {
    const file = decodeServiceFile(await readFile(join(folder, serviceFileName), 'utf8').catch(() => ''));
    if (file) return file;
    throw new ProjectError('transport', 'local_service_not_running', `No service is running for ${folder}.`);
  }
}
