import type { Disposable } from '../../base/disposable.ts';
import { ProjectError } from '../../base/errors.ts';
import type { Client, ClientOptions } from '../../client/index.ts';
import type { Profile } from '../../model/profiles.ts';
import type { KeyStore } from './keyStore.ts';

interface Open {
  /** Everything that the client was made of: when any of it changes, so does the client. */
  readonly made: string;
  readonly client: Promise<Client>;
}

/** Who is told of what the client of a project, or of a service, does. */
export type ClientWatch = (called: Pick<Profile, 'name'>) => Pick<ClientOptions, 'logger' | 'onWait'>;

/** Gives a profile as it can be used now, once whatever runs its service is up. */
export type EnsureRunning = (profile: Profile) => Promise<Profile>;

/** What of a profile says how its project is reached, and with whom: its name, colour and the like change nothing about that. */
export function connectionOf(profile: Profile): string {
  const { baseUrl, pathPrefix, projectId, holderId, projectName, retries, timeoutSeconds } = profile;
  return JSON.stringify([baseUrl, pathPrefix, projectId, holderId, projectName, retries, timeoutSeconds]);
}

/**
 * One client a project, made when it is first needed, and made anew when its key or its address changes. What runs then
 * keeps the one that it has: a statement is not cut off because somebody edits a setting.
 */
export class Clients implements Disposable {
  readonly #keys: KeyStore;
  readonly #ensureRunning: EnsureRunning;
  readonly #watch: ClientWatch;
  readonly #open = new Map<string, Open>();
  /** Those that were replaced, and have calls to end. */
  readonly #leaving = new Set<Promise<Client>>();

  constructor(keys: KeyStore, ensureRunning: EnsureRunning, watch: ClientWatch = () => ({})) {
    this.#keys = keys;
    this.#ensureRunning = ensureRunning;
    this.#watch = watch;
  }

  async for(listed: Profile): Promise<Client> {
    const profile = await this.#ensureRunning(listed);
    const apiKey = await this.#keys.get(profile);
    if (apiKey === undefined) {
      throw new ProjectError('misuse', 'no_key', `No API key is set for ${profile.name}.`);
    }
    const { id } = profile;
    const made = JSON.stringify([apiKey, connectionOf(profile)]);
    const open = this.#open.get(id);
    if (open?.made === made) return open.client;
    if (open) this.#retire(open.client);
    const client = openClient(profile, apiKey, this.#watch(profile));
    this.#open.set(id, { made, client });
    return client;
  }

  dispose(): void {
    const open = [...this.#open.values()].map(({ client }) => client);
    this.#open.clear();
    // Closing rejects what is pending, and those calls tell their own callers.
    for (const made of [...open, ...this.#leaving]) made.then(client => client.close()).catch(() => undefined);
  }

  #retire(made: Promise<Client>): void {
    this.#leaving.add(made);
    void made
      .then(client => client.drain())
      .catch(() => undefined)
      .finally(() => this.#leaving.delete(made));
  }
}

export type ClientAddress = Pick<Profile, 'baseUrl' | 'pathPrefix'> & Partial<Profile>;

/** A client that its caller closes. */
export async function openClient(
  profile: ClientAddress,
  apiKey: string | undefined,
  watch: ReturnType<ClientWatch>,
): Promise<Client> {
  // Loaded here, because a window in which nobody opens a project needs no HTTP client.
  const { Client: Made } = await import('../../client/index.ts');
  const { baseUrl, pathPrefix, holderId, projectName, retries, timeoutSeconds } = profile;
  const timeout = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000;
  return new Made({
    ...{ apiKey, baseUrl, pathPrefix, holderId, projectName, retries },
    ...{ headersTimeout: timeout, bodyTimeout: timeout },
    ...watch,
  });
}
