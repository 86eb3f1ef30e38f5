import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { ProjectError } from '../../base/errors.ts';
import { Emitter } from '../../base/emitter.ts';
import { asArrayOf, asNonEmptyString, asRecord, asString, parseJson } from '../../base/shape.ts';
import { makeProfile, type Profile } from '../../model/profiles.ts';
import { isLoopback } from '../../wire/baseUrl.ts';
import { keptDataFolder } from '../../wire/keeper.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import type { LocalServiceKeys } from '../connections/localServiceKeys.ts';
import { ServiceLease } from './serviceLease.ts';
import type { KeeperFiles } from './startKeeper.ts';

export interface EmbeddedServiceParts {
  readonly files: KeeperFiles;
  readonly local: LocalServiceKeys;
  readonly keys: KeyStore;
}

const projectsFileName = 'projects.json';

/**
 * The local service that the extension brings along. It runs from the first use of one of its projects to the end of
 * the last window that used it. Its projects are remembered, so that they can be shown while it does not run.
 */
export class EmbeddedService implements Disposable {
  readonly #parts: EmbeddedServiceParts;
  readonly #changes = new Emitter<void>();
  readonly #lease: ServiceLease;
  #remembered: Promise<readonly Profile[]> | undefined;
  #starting: Promise<readonly Profile[]> | undefined;

  /** Heard when it has other projects than before, or has them at another address. */
  readonly onDidChange = this.#changes.on;

  constructor(parts: EmbeddedServiceParts) {
    this.#parts = parts;
    this.#lease = new ServiceLease(parts.files);
  }

  /** The projects that it had when it was used last, in any window. Nothing is started for them. */
  remembered(): Promise<readonly Profile[]> {
    this.#remembered = this.#read();
    return this.#remembered;
  }

  /** Tells when another window has changed what is remembered. */
  async lookAgain(): Promise<void> {
    const before = await this.#remembered;
    if (before && JSON.stringify(before) !== JSON.stringify(await this.remembered())) this.#changes.fire();
  }

  /** Has the service running and gives its projects, each with a key. Who asks meanwhile gets the same, and the same keys. */
  start(): Promise<readonly Profile[]> {
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  /** The profile of one of its projects as it can be used now: with the service running, and a key. Others as they are. */
  async ensureRunning(profile: Profile): Promise<Profile> {
    const remembered = await (this.#remembered ?? this.remembered());
    if (!remembered.some(({ id }) => id === profile.id)) return profile;
    const baseUrl = await this.#lease.running();
    if (baseUrl === profile.baseUrl && (await this.#parts.keys.get(profile)) !== undefined) return profile;
    const now = (await this.start()).find(({ id }) => id === profile.id);
    if (now) return { ...profile, baseUrl: now.baseUrl, origin: now.origin };
    // Somebody has deleted its data, and the service has begun anew.
    throw new ProjectError('service', 'project_not_found', `The service has no project ${profile.projectId} any more.`);
  }

  /** Has a new key issued for one of its projects. */
  async issue(profile: Profile): Promise<void> {
    await this.#lease.running();
    await this.#parts.local.issue(this.#folder, profile);
  }

  /** Ends a key that was issued for one of its projects, also when the service did not run until now. */
  async revoke(keyId: string): Promise<void> {
    await this.#lease.running();
    await this.#revoke(keyId);
  }

  dispose(): void {
    this.#changes.dispose();
    this.#lease.dispose();
  }

  async #start(): Promise<readonly Profile[]> {
    const { local, keys } = this.#parts;
    const before = await this.remembered();
    await this.#lease.running();
    const profiles = await local.profiles(this.#folder);
    if (JSON.stringify(profiles) === JSON.stringify(before)) return profiles;
    // Keys of projects that are gone, and those that are bound to the address that it had before, are of no use any more.
    const isThere = (old: Profile): boolean =>
      profiles.some(({ origin, projectId }) => origin === old.origin && projectId === old.projectId);
    for (const profile of before.filter(old => !isThere(old))) {
      const former = await keys.stored(profile);
      await keys.forget(profile);
      // A project that is gone took its keys along.
      if (former?.issuedAs !== undefined) void this.#revoke(former.issuedAs).catch(() => undefined);
    }
    await this.#write(profiles);
    this.#remembered = Promise.resolve(profiles);
    this.#changes.fire();
    return profiles;
  }

  get #folder(): string {
    return join(this.#parts.files.folder, keptDataFolder);
  }

  async #revoke(keyId: string): Promise<void> {
    await this.#parts.local.revoke(this.#folder, keyId);
  }

  async #read(): Promise<readonly Profile[]> {
    const text = await readFile(join(this.#parts.files.folder, projectsFileName), 'utf8').catch(() => '');
    return asArrayOf(parseJson(text), decodeLocalProfile) ?? [];
  }

  async #write(profiles: readonly Profile[]): Promise<void> {
    const { folder } = this.#parts.files;
    const file = join(folder, projectsFileName);
    const entries = profiles.map(({ baseUrl, pathPrefix, projectId, holderId, projectName }) => ({
      ...{ baseUrl, pathPrefix, projectId, holderId, projectName },
    }));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Renamed into place, so that another window never reads half of it.
    const whole = `${file}.${process.pid}`;
    await writeFile(whole, JSON.stringify(entries, null, 2), { mode: 0o600 });
    await rename(whole, file);
  }
}

function decodeLocalProfile(value: unknown): Profile | undefined {
  const record = asRecord(value);
  const [baseUrl, projectId] = [asNonEmptyString(record?.['baseUrl']), asNonEmptyString(record?.['projectId'])];
  const url = baseUrl === undefined ? null : URL.parse(baseUrl);
  if (!baseUrl || !projectId || url?.protocol !== 'http:' || !isLoopback(url.hostname)) return undefined;
  return makeProfile({
    ...{ baseUrl, projectId, source: 'local' },
    pathPrefix: asString(record?.['pathPrefix']),
    holderId: asNonEmptyString(record?.['holderId']),
    projectName: asNonEmptyString(record?.['projectName']),
  });
}
