import { monotonicClock } from '../../base/clock.ts';
import type { Client, ProjectPair, ProjectRecord } from '../../client/index.ts';
import { type ConnectionReport, testConnection } from '../../model/connectionTest.ts';
import { addEntry, entryOf } from '../../model/profileEntries.ts';
import { makeProfile, type Profile } from '../../model/profiles.ts';
import { defaultPathPrefix } from '../../wire/paths.ts';
import { type ClientWatch, openClient } from '../connections/clients.ts';
import { type KeyStore, type LocalKeys, revokeInBackground } from '../connections/keyStore.ts';
import type { ProfileWriter } from './profileWriter.ts';
import { addressesOf, findService, type FoundService, type ServiceAddress } from './findService.ts';

/** How long a server may take to show whether it is an SQL service. */
const searchSeconds = 10;

export interface DraftStores {
  readonly keys: KeyStore;
  /** The project may be one of a local service, whose issued key the entered one replaces. */
  readonly localKeys: Pick<LocalKeys, 'revoke'>;
  readonly writer: Pick<ProfileWriter, 'write'>;
}

/** A project that the user is adding. Its key stays in memory until the user has answered all questions. */
export class ProjectDraft {
  readonly #watch: ClientWatch;
  #baseUrl = '';
  pathPrefix = defaultPathPrefix;
  projectId = '';
  holderId = '';
  projectName = '';
  name = '';
  key = '';

  constructor(watch: ClientWatch) {
    this.#watch = watch;
  }

  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** Drops the key with the origin: a key is never sent to another one. */
  set baseUrl(baseUrl: string) {
    if (new URL(baseUrl).origin !== URL.parse(this.#baseUrl)?.origin) this.key = '';
    this.#baseUrl = baseUrl;
  }

  get origin(): string {
    return new URL(this.#baseUrl).origin;
  }

  get profile(): Profile {
    return makeProfile({
      baseUrl: this.baseUrl,
      pathPrefix: this.pathPrefix,
      projectId: this.projectId,
      holderId: this.holderId,
      projectName: this.projectName,
      name: this.name,
      source: 'settings',
    });
  }

  get #pair(): ProjectPair {
    return { holderId: this.holderId, projectName: this.projectName };
  }

  /** Finds the service at a typed address. Keeps the address if there is one. `pathPrefix` is undefined to look for it. */
  async find(typed: string, pathPrefix: string | undefined, signal: AbortSignal): Promise<FoundService> {
    // The address is not trusted yet, and no key is sent to it.
    const open = ({ baseUrl, pathPrefix: prefix }: ServiceAddress): Promise<Client> =>
      openClient(
        { baseUrl, pathPrefix: prefix, timeoutSeconds: searchSeconds, allowInsecure: true },
        undefined,
        this.#watch({ name: new URL(baseUrl).origin }),
      );
    const foundService = await findService(typed, open, { pathPrefix, signal });
    if (foundService.kind === 'service') this.#take(foundService.address);
    return foundService;
  }

  /** Takes an address where no service was found. */
  takeUntested(typed: string, pathPrefix: string | undefined): void {
    this.#take({ baseUrl: addressesOf(typed)[0]!, pathPrefix: pathPrefix ?? defaultPathPrefix });
  }

  #take({ baseUrl, pathPrefix }: ServiceAddress): void {
    this.baseUrl = baseUrl;
    this.pathPrefix = pathPrefix;
  }

  /** The projects that the key may see; undefined if the service does not list them. */
  listProjects(signal: AbortSignal): Promise<readonly ProjectRecord[] | undefined> {
    return this.#atService(client => client.listProjects({ retries: 0, signal }));
  }

  /** Looks up the project id by holder and name; undefined if the service has no such project. */
  async resolve(signal: AbortSignal): Promise<string | undefined> {
    const resolved = await this.#atService(client => client.resolveProject(this.#pair, { retries: 0, signal }));
    return resolved.exists ? resolved.projectId : undefined;
  }

  /** Creates the project at the service and gives its id. */
  async create(signal: AbortSignal): Promise<string> {
    const { projectId } = await this.#atService(client => client.initProject(this.#pair, { retries: 0, signal }));
    return projectId;
  }

  async open(key = this.key): Promise<Client> {
    return openClient(this.profile, key, this.#watch(this.profile));
  }

  async test(signal: AbortSignal): Promise<ConnectionReport> {
    await using client = await this.open();
    const report = await testConnection(client, this.projectId, { clock: monotonicClock, signal });
    signal.throwIfAborted();
    return report;
  }

  /** Stores the key before the entry: no project is listed without its key. If the entry fails, the former key is restored. */
  async save({ keys, localKeys, writer }: DraftStores): Promise<void> {
    const { profile, key } = this;
    const keyBefore = await keys.stored(profile);
    try {
      await keys.setEntered(profile, key);
      await writer.write('user', setting => addEntry(setting, entryOf(profile)));
    } catch (thrown) {
      await keys.restore(profile, keyBefore);
      throw thrown;
    }
    if (keyBefore?.key !== key) revokeInBackground(localKeys, keyBefore);
  }

  /** Calls the service without a project, and without a key if none was entered yet. */
  async #atService<T>(call: (client: Client) => Promise<T>): Promise<T> {
    const { baseUrl, pathPrefix, key } = this;
    await using client = await openClient(
      { baseUrl, pathPrefix },
      key || undefined,
      this.#watch({ name: this.origin }),
    );
    return await call(client);
  }
}
