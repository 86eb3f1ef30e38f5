import type { Disposable } from '../../base/disposable.ts';
import { ProjectError } from '../../base/errors.ts';
import type { Client, ClientOptions } from '../../client/index.ts';
import type { Profile } from '../../model/profiles.ts';
import type { ClientListeners } from '../log/callLog.ts';
import type { KeyStore } from './keyStore.ts';

interface OpenClient {
  /** The key and the connection that the client was made with. */
  readonly fingerprint: string;
  /** The name in the log: that of the last use. */
  readonly shownProfile: { readonly id: string; name: string };
  readonly client: Promise<Client>;
}

/** Gives the listeners of a client. The log reads the name for each line, because it may change. */
export type ClientWatch = (
  profile: Pick<Profile, 'name'> & Partial<Profile>,
) => ClientListeners | Promise<ClientListeners>;

/** A project whose service was started, if the extension can start it. */
export interface ReachableProject {
  /** With the current address. */
  readonly profile: Profile;
  /** Opens connections on which a local service has proven itself. Undefined for other services. */
  readonly connect?: ClientOptions['connect'];
}

export type EnsureRunning = (profile: Profile) => Promise<ReachableProject>;

/** Asks whether a key that is stored for another path may be used. Gives the key that the project then has. */
export type AskForReuse = (profile: Profile) => Promise<string | undefined>;

export interface ClientsParts {
  readonly keys: KeyStore;
  readonly ensureRunning: EnsureRunning;
  readonly askForReuse: AskForReuse;
  readonly watch?: ClientWatch;
  /** Options that take precedence over those of a profile. */
  readonly overrides?: Partial<ClientOptions>;
}

/** The fields of a profile that decide how its project is reached. A change of its name or color keeps the connection. */
export function connectionOf(profile: Profile): string {
  const { baseUrl, pathPrefix, projectId, holderId, projectName, retries, timeoutSeconds } = profile;
  return JSON.stringify([baseUrl, pathPrefix, projectId, holderId, projectName, retries, timeoutSeconds]);
}

/** One client for each project, made on first use. Running statements finish on the client of a former key or connection. */
export class Clients implements Disposable {
  readonly #parts: ClientsParts;
  readonly #openClients = new Map<string, OpenClient>();
  /** Replaced clients whose calls have not ended. */
  readonly #draining = new Set<Promise<Client>>();

  constructor(parts: ClientsParts) {
    this.#parts = parts;
  }

  /** With `isQuiet`, a missing key is an error: the user is not asked about the key of another path. */
  async for(listedProfile: Profile, isQuiet = false): Promise<Client> {
    const { keys, ensureRunning, askForReuse, watch, overrides } = this.#parts;
    const { profile, connect } = await ensureRunning(listedProfile);
    const apiKey = (await keys.get(profile)) ?? (isQuiet ? undefined : await askForReuse(profile));
    if (apiKey === undefined) {
      throw new ProjectError('misuse', 'no_key', `No API key is set for ${profile.name}.`);
    }
    const { id } = profile;
    const fingerprint = JSON.stringify([apiKey, connectionOf(profile)]);
    const open = this.#openClients.get(id);
    if (open) open.shownProfile.name = profile.name;
    if (open?.fingerprint === fingerprint) return open.client;
    if (open) this.#drain(open.client);
    const shownProfile = { id, name: profile.name };
    const client = openClient(profile, apiKey, watch?.(shownProfile), connect, overrides);
    this.#openClients.set(id, { fingerprint, shownProfile, client });
    return client;
  }

  /** Opens a client to test a key that is not stored. The caller closes the client. */
  async openWith(listedProfile: Profile, apiKey: string): Promise<Client> {
    const { ensureRunning, watch } = this.#parts;
    const { profile, connect } = await ensureRunning(listedProfile);
    return openClient(profile, apiKey, watch?.(profile), connect);
  }

  dispose(): void {
    const clients = [...this.#openClients.values()].map(({ client }) => client);
    clients.push(...this.#draining);
    this.#openClients.clear();
    // Closing rejects the pending calls, and their callers handle that.
    for (const opening of clients) opening.then(client => client.close()).catch(() => undefined);
  }

  #drain(opening: Promise<Client>): void {
    this.#draining.add(opening);
    void opening
      .then(client => client.drain())
      .catch(() => undefined)
      .finally(() => this.#draining.delete(opening));
  }
}

type ClientAddress = Pick<Profile, 'baseUrl' | 'pathPrefix'> &
  Partial<Profile> & {
    /** Only for calls without a key. */
    readonly allowInsecure?: boolean;
  };

/** The caller closes the client. */
export async function openClient(
  { baseUrl, pathPrefix, holderId, projectName, retries, timeoutSeconds, allowInsecure }: ClientAddress,
  apiKey: string | undefined,
  listeners: ReturnType<ClientWatch> | undefined,
  connect?: ClientOptions['connect'],
  overrides?: Partial<ClientOptions>,
): Promise<Client> {
  // Loaded on first use: many windows never call a service.
  const client = await import('../../client/index.ts');
  const timeoutMs = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000;
  return new client.Client({
    ...(await listeners),
    connect,
    apiKey,
    baseUrl,
    pathPrefix,
    holderId,
    projectName,
    retries,
    allowInsecure,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    ...overrides,
  });
}
