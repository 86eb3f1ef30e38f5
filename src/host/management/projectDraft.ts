import { monotonicClock } from '../../base/clock.ts';
import type { Client, ProjectPair } from '../../client/index.ts';
import { type ConnectionReport, testConnection } from '../../model/connectionTest.ts';
import { addEntry, entryOf } from '../../model/profileEntries.ts';
import { makeProfile, type Profile } from '../../model/profiles.ts';
import { defaultPathPrefix } from '../../wire/paths.ts';
import { type ClientWatch, openClient } from '../connections/clients.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import type { ProfileWriter } from '../connections/profileSettings.ts';

/**
 * A project that is about to be added, and what can be asked of its service before. The key lives here as long as the
 * questions do, and goes to the secret storage at their end.
 */
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

  /** A key that was typed for one address is never sent to another. */
  set baseUrl(baseUrl: string) {
    if (new URL(baseUrl).origin !== URL.parse(this.#baseUrl)?.origin) this.key = '';
    this.#baseUrl = baseUrl;
  }

  get origin(): string {
    return new URL(this.#baseUrl).origin;
  }

  get profile(): Profile {
    const { baseUrl, pathPrefix, projectId, holderId, projectName, name } = this;
    return makeProfile({ baseUrl, pathPrefix, projectId, holderId, projectName, name, source: 'settings' });
  }

  get #pair(): ProjectPair {
    return { holderId: this.holderId, projectName: this.projectName };
  }

  /** The id of the project of this holder and name; undefined when the service knows none. */
  async resolve(signal: AbortSignal): Promise<string | undefined> {
    const resolved = await this.#atService(client => client.resolveProject(this.#pair, { retries: 0, signal }));
    return resolved.exists ? resolved.projectId : undefined;
  }

  /** Has the service make the project, and gives its id. */
  async initialise(signal: AbortSignal): Promise<string> {
    const { projectId } = await this.#atService(client => client.initProject(this.#pair, { retries: 0, signal }));
    return projectId;
  }

  async test(signal: AbortSignal): Promise<ConnectionReport> {
    const { profile, key } = this;
    await using client = await openClient(profile, key, this.#watch(profile));
    const report = await testConnection(client, profile.projectId, { clock: monotonicClock, signal });
    signal.throwIfAborted();
    return report;
  }

  /** The key first, so that the project is never seen without it; when the setting cannot be written, it goes again. */
  async keep(keys: KeyStore, writer: ProfileWriter): Promise<void> {
    const { profile, key } = this;
    const before = await keys.get(profile);
    try {
      await keys.set(profile, key);
      await writer.write('user', setting => addEntry(setting, entryOf(profile)));
    } catch (thrown) {
      await (before === undefined ? keys.forget(profile) : keys.set(profile, before));
      throw thrown;
    }
  }

  /** A call about projects, before there is one: without a key until the service has asked for one. */
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
