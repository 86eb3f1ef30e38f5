import type { Disposable } from '../../base/disposable.ts';
import { ProjectError } from '../../base/errors.ts';
import type { Client } from '../../client/index.ts';
import type { Profile } from '../../model/profiles.ts';
import type { KeyStore } from './keyStore.ts';

/** One client a project, made when it is first needed, and made anew when its key changes. */
export class Clients implements Disposable {
  readonly #keys: KeyStore;
  readonly #open = new Map<string, { apiKey: string; client: Client }>();

  constructor(keys: KeyStore) {
    this.#keys = keys;
  }

  async for(profile: Profile): Promise<Client> {
    const apiKey = await this.#keys.get(profile);
    if (apiKey === undefined) {
      throw new ProjectError('misuse', 'no_key', `No API key is set for ${profile.name}.`);
    }
    const open = this.#open.get(profile.id);
    if (open?.apiKey === apiKey) return open.client;
    if (open) this.#drop(profile.id);
    // Loaded here, because a window in which nobody opens a project needs no HTTP client.
    const { Client } = await import('../../client/index.ts');
    const { baseUrl, pathPrefix, holderId, projectName } = profile;
    const client = new Client({
      ...{ apiKey, baseUrl, pathPrefix },
      ...(holderId === undefined ? {} : { holderId }),
      ...(projectName === undefined ? {} : { projectName }),
    });
    this.#open.set(profile.id, { apiKey, client });
    return client;
  }

  dispose(): void {
    for (const id of this.#open.keys()) this.#drop(id);
  }

  #drop(id: string): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    // Closing rejects what is pending, and those calls tell their own callers.
    open?.client.close().catch(() => undefined);
  }
}
