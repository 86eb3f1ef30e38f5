import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DisposableStore } from '../../base/disposable.ts';
import { ProjectError } from '../../base/errors.ts';
import { Emitter } from '../../base/emitter.ts';
import {
  arrayOf,
  asNonBlankString,
  asString,
  lenient,
  map,
  object,
  orUndefined,
  parseJson,
} from '../../base/decode.ts';
import { makeProfile, type Profile } from '../../model/profiles.ts';
import { replaceFile } from '../../model/replaceFile.ts';
import { isLoopback } from '../../wire/baseUrl.ts';
import type { ReachableProject } from '../connections/clients.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import type { LocalServiceKeys } from '../connections/localServiceKeys.ts';
import { connectorTo } from '../../model/provenConnection.ts';
import { ServiceLease } from './serviceLease.ts';

interface EmbeddedServiceParts {
  /** Everything that belongs to the service: its data folder, and the list of its projects. */
  readonly folder: string;
  /** The path of the service's program. */
  readonly script: string;
  readonly serviceKeys: LocalServiceKeys;
  readonly keys: KeyStore;
}

const projectsFileName = 'projects.json';

/**
 * The local service that the extension brings along. It runs from the first use of one of its projects to the end of the
 * last window that used it. A file lists its projects, so that they can be shown while it does not run.
 */
export class EmbeddedService extends DisposableStore {
  readonly dataFolder: string;
  readonly #parts: EmbeddedServiceParts;
  readonly #changes = this.add(new Emitter<void>());
  readonly #lease: ServiceLease;
  #projectList: Promise<readonly Profile[]> | undefined;
  #starting: Promise<readonly Profile[]> | undefined;

  /** Fires when the service has other projects than before, or another address. */
  readonly onDidChange = this.#changes.on;

  constructor(parts: EmbeddedServiceParts) {
    super();
    this.#parts = parts;
    this.dataFolder = join(parts.folder, 'data');
    this.#lease = this.add(new ServiceLease({ folder: this.dataFolder, script: parts.script }));
  }

  /** The projects that the service had when any window used it last. Does not start the service. */
  listedProjects(): Promise<readonly Profile[]> {
    this.#projectList = this.#readList();
    return this.#projectList;
  }

  /** Reads the list again, because another window may have changed it. */
  async refresh(): Promise<void> {
    const before = await this.#projectList;
    if (before && JSON.stringify(before) !== JSON.stringify(await this.listedProjects())) this.#changes.fire();
  }

  /** Starts the service and gives its projects, each with a key. Calls at the same time share one answer, and the keys. */
  start(): Promise<readonly Profile[]> {
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  /** Starts the service for one of its projects, which then has its address and a key. Undefined for other profiles. */
  async ensureRunning(profile: Profile): Promise<ReachableProject | undefined> {
    const listed = await (this.#projectList ?? this.listedProjects());
    if (!listed.some(({ id }) => id === profile.id)) return undefined;
    const baseUrl = await this.#lease.ensureRunning();
    if (baseUrl === profile.baseUrl && (await this.#parts.keys.get(profile)) !== undefined)
      return this.#proven(profile);
    const current = (await this.start()).find(({ id }) => id === profile.id);
    if (current) {
      const { origin, pathPrefix } = current;
      return this.#proven({ ...profile, baseUrl: current.baseUrl, origin, pathPrefix });
    }
    // Somebody deleted the data folder, and the service has made a new one.
    throw new ProjectError(
      'service',
      'project_not_found',
      `The service no longer has the project ${profile.projectId}.`,
    );
  }

  get isInUse(): boolean {
    return this.#lease.isHeld;
  }

  /** The data folder, after the service was started unless it is running. */
  async runningFolder(): Promise<string> {
    await this.#lease.ensureRunning();
    return this.dataFolder;
  }

  #proven(profile: Profile): ReachableProject {
    return { profile, connect: connectorTo(this.dataFolder, profile) };
  }

  async #start(): Promise<readonly Profile[]> {
    const before = await this.listedProjects();
    await this.#lease.ensureRunning();
    const profiles = await this.#parts.serviceKeys.profiles(this.dataFolder);
    if (JSON.stringify(profiles) === JSON.stringify(before)) return profiles;
    for (const profile of before) {
      const isStillThere = profiles.some(
        ({ origin, projectId }) => origin === profile.origin && projectId === profile.projectId,
      );
      if (!isStillThere) await this.#dropKey(profile);
    }
    await this.#writeList(profiles);
    this.#projectList = Promise.resolve(profiles);
    this.#changes.fire();
    return profiles;
  }

  /** A key is bound to a project and an address. Without these it is of no use. */
  async #dropKey(profile: Profile): Promise<void> {
    const stored = await this.#parts.keys.stored(profile);
    await this.#parts.keys.forget(profile);
    // The keys of a deleted project are gone with it, so a failure is expected.
    if (stored?.issuedAs !== undefined) {
      void this.#parts.serviceKeys.revoke(this.dataFolder, stored.issuedAs).catch(() => undefined);
    }
  }

  async #readList(): Promise<readonly Profile[]> {
    const text = await readFile(join(this.#parts.folder, projectsFileName), 'utf8').catch(() => '');
    return arrayOf(decodeLocalProfile)(parseJson(text)) ?? [];
  }

  async #writeList(profiles: readonly Profile[]): Promise<void> {
    const fields = ['baseUrl', 'pathPrefix', 'projectId', 'holderId', 'projectName'] satisfies (keyof Profile)[];
    await mkdir(this.#parts.folder, { recursive: true, mode: 0o700 });
    await replaceFile(join(this.#parts.folder, projectsFileName), JSON.stringify(profiles, fields, 2));
  }
}

function asLocalUrl(value: unknown): string | undefined {
  const text = asNonBlankString(value);
  const url = text === undefined ? null : URL.parse(text);
  return url?.protocol === 'http:' && isLoopback(url.hostname) ? text : undefined;
}

const decodeLocalProfile = map(
  object({
    baseUrl: asLocalUrl,
    projectId: asNonBlankString,
    pathPrefix: lenient(orUndefined(asString)),
    holderId: lenient(orUndefined(asNonBlankString)),
    projectName: lenient(orUndefined(asNonBlankString)),
  }),
  (entry): Profile => makeProfile({ ...entry, source: 'local' }),
);
