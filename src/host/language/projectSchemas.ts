import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { asProjectError, messageOf, ProjectError } from '../../base/errors.ts';
import { isSameList } from '../../base/isSameList.ts';
import { type Logger, logText } from '../../base/logger.ts';
import { doInTurns, type Steps } from '../../base/turns.ts';
import type { Catalog } from '../../model/catalog/catalog.ts';
import { lookupValuesOf } from '../../model/catalog/lookupValues.ts';
import type { LookupColumn, LookupValue } from '../../sql/completion/surroundings.ts';
import type { Profile } from '../../model/profiles.ts';
import { asServiceError } from '../../wire/serviceError.ts';
import type { ListedProjects } from '../connections/projects.ts';
import { schemaFileName, SchemaFiles, type StoredSchema } from './schemaFiles.ts';
import { SchemaRefresh } from './schemaRefresh.ts';
import { Redactor } from '../../client/index.ts';

export interface ProjectSchemasParts {
  readonly listProjects: () => Promise<ListedProjects>;
  readonly catalogs: {
    for(profile: Profile): Pick<Catalog, 'schemaStatements' | 'lastRowCounts' | 'openQuietly'>;
    /** Fires with the id of a project whose schema may have changed; with undefined for all projects. */
    readonly onDidChange: (listener: (profileId: string | undefined) => void) => Disposable;
  };
  /** Whether a document of the project is open. Without one, its schema is not fetched. */
  readonly isInUse: (profileId: string) => Promise<boolean>;
  readonly isTrusted: () => boolean;
  /** Whether a call of the project would start the local service. */
  readonly wouldStartService: (profile: Profile) => Promise<boolean>;
  readonly keyOf: (profile: Profile) => Promise<string | undefined>;
  /** The folder of the workspace's storage. Undefined where no folder is open: then no schema outlives the window. */
  readonly storage: string | undefined;
  readonly log: Logger;
  /** Measures the waits between fetches. */
  readonly clock: Clock;
  /** Gives the time at which a schema was fetched. */
  readonly systemTime: Pick<Clock, 'now'>;
}

interface SchemaUpdate {
  readonly profileId: string;
  /** False if only the time of the last fetch has changed. */
  readonly hasNewStatements: boolean;
}

interface ServedSchema {
  readonly fileName: string;
  readonly refresh: SchemaRefresh;
  /** Ends when the stored schema was read. */
  loading: Promise<void>;
  schema: StoredSchema | undefined;
  /** Whether the schema may have changed since the last fetch began. */
  isStale: boolean;
  isRequestedByUser: boolean;
}

/**
 * The schemas of the projects, for the language server. The stored schema of an earlier window is served at once and
 * fetched again in the background. A fetch that fails only goes to the log: the last schema stays.
 */
export class ProjectSchemas extends DisposableStore {
  readonly #parts: ProjectSchemasParts;
  readonly #files: SchemaFiles;
  readonly #entries = new Map<string, ServedSchema>();
  readonly #changes = this.add(new Emitter<SchemaUpdate>());

  readonly onDidChange = this.#changes.on;

  constructor(parts: ProjectSchemasParts) {
    super();
    this.#parts = parts;
    this.#files = new SchemaFiles(parts.storage);
    this.add(parts.catalogs.onDidChange(profileId => this.request(profileId)));
    void this.#forgetRemoved();
  }

  /** The last known schema. Undefined if none is known yet, or if there is no such project. */
  async get(profileId: string): Promise<StoredSchema | undefined> {
    const entry = await this.#entryOf(profileId);
    await entry?.loading;
    if (entry?.isStale) entry.refresh.requestIfIdle();
    return entry?.schema;
  }

  /** The last counts of the project's tables, for those that were counted. */
  async rowCounts(profileId: string): Promise<ReadonlyMap<string, bigint>> {
    const profile = await this.#find(profileId);
    return profile ? this.#parts.catalogs.for(profile).lastRowCounts : new Map<string, bigint>();
  }

  /** The values of a column of a small table, as literals with a text beside each. Empty if they cannot be read. */
  async lookupValues(profileId: string, column: LookupColumn): Promise<readonly LookupValue[]> {
    const { catalogs, isTrusted, wouldStartService, log } = this.#parts;
    const profile = await this.#find(profileId);
    if (!profile || !isTrusted() || (await wouldStartService(profile))) return [];
    try {
      const values = await lookupValuesOf(await catalogs.for(profile).openQuietly(), column);
      const texts = values.flatMap(({ value, text }) => [value, text]);
      const clean = new Set(await this.#withoutKey(profile, texts));
      return values.filter(({ value, text }) => clean.has(value) && clean.has(text));
    } catch (thrown) {
      log.debug(logText(`${profile.name}: the values of ${column.table} were not read: ${messageOf(thrown)}`));
      return [];
    }
  }

  /** When the known schema was fetched, in milliseconds since the epoch. */
  fetchedAt(profileId: string): number | undefined {
    return this.#entries.get(profileId)?.schema?.fetchedAt;
  }

  /** Fetches the schema because the user asks for it. Rejects with what went wrong. */
  async refresh(profileId: string): Promise<void> {
    const entry = await this.#entryOf(profileId);
    if (!entry) return;
    if (!this.#parts.isTrusted()) {
      throw new ProjectError('misuse', 'untrusted_schema', 'The workspace is not trusted, so no schema is loaded.');
    }
    entry.isStale = true;
    entry.isRequestedByUser = true;
    await entry.refresh.fetchNow();
  }

  /** Fetches the schema of a project soon, because it may have changed; without an id, the schemas of all projects. */
  request(profileId: string | undefined): void {
    for (const [id, entry] of this.#entries) {
      if (profileId !== undefined && id !== profileId) continue;
      entry.isStale = true;
      entry.refresh.requestSoon();
    }
    if (profileId === undefined) void this.#forgetRemoved();
  }

  override dispose(): void {
    super.dispose();
    for (const { refresh } of this.#entries.values()) refresh.dispose();
    this.#entries.clear();
  }

  async #find(profileId: string): Promise<Profile | undefined> {
    return (await this.#parts.listProjects()).profiles.find(({ id }) => id === profileId);
  }

  async #entryOf(profileId: string): Promise<ServedSchema | undefined> {
    const profile = await this.#find(profileId);
    if (!profile || this.isDisposed) return undefined;
    const fileName = schemaFileName(profile);
    const current = this.#entries.get(profileId);
    if (current?.fileName === fileName) return current;
    current?.refresh.dispose();
    const entry = this.#newEntry(profileId, fileName);
    this.#entries.set(profileId, entry);
    return entry;
  }

  #newEntry(profileId: string, fileName: string): ServedSchema {
    const entry: ServedSchema = {
      fileName,
      loading: Promise.resolve(),
      refresh: new SchemaRefresh({
        fetch: signal => this.#fetch(profileId, entry, signal),
        mayRetry,
        clock: this.#parts.clock,
      }),
      schema: undefined,
      isStale: true,
      isRequestedByUser: false,
    };
    entry.loading = this.#load(profileId, entry);
    return entry;
  }

  async #load(profileId: string, entry: ServedSchema): Promise<void> {
    entry.schema = await this.#files.read(entry.fileName);
    this.#changes.fire({ profileId, hasNewStatements: false });
  }

  async #fetch(profileId: string, entry: ServedSchema, signal: AbortSignal): Promise<void> {
    const { catalogs, isTrusted, isInUse, log } = this.#parts;
    await entry.loading;
    const profile = await this.#find(profileId);
    // The project may be at another address now. Its schema belongs to another entry.
    if (!profile || schemaFileName(profile) !== entry.fileName) return;
    if (!isTrusted() || !(await isInUse(profileId))) return;
    await this.#refuseToStart(profile, entry);
    // DDL that runs during the fetch makes it stale again.
    entry.isStale = false;
    try {
      // With a listener of its own, the call shows no wait that the service asks for.
      const statements = await catalogs.for(profile).schemaStatements({ signal, onWait: () => undefined });
      if (!statements)
        throw new ProjectError('service', 'schema_not_offered', 'The service does not offer the schema.');
      signal.throwIfAborted();
      await this.#take(profileId, entry, await this.#withoutKey(profile, statements));
    } catch (thrown) {
      // A fault that time does not fix waits for a change: of the key, the address or the schema.
      entry.isStale ||= mayRetry(thrown);
      if (!signal.aborted) log.warn(logText(`${profile.name}: the schema was not read: ${messageOf(thrown)}`));
      throw thrown;
    }
  }

  /** Opening a file starts no service while a schema is known. The fetch is retried: the service may run then. */
  async #refuseToStart(profile: Profile, entry: ServedSchema): Promise<void> {
    const { isRequestedByUser } = entry;
    entry.isRequestedByUser = false;
    if (isRequestedByUser || !entry.schema || !(await this.#parts.wouldStartService(profile))) return;
    throw new ProjectError('transport', 'local_service_not_running', 'The local service is not in use.');
  }

  async #take(profileId: string, entry: ServedSchema, statements: readonly string[]): Promise<void> {
    const { systemTime, log } = this.#parts;
    const hasNewStatements = !entry.schema || !isSameList(entry.schema.statements, statements);
    entry.schema = { fetchedAt: systemTime.now(), statements };
    this.#changes.fire({ profileId, hasNewStatements });
    log.debug(`${profileId}: the schema has ${statements.length} statements`);
    await this.#files.write(entry.fileName, entry.schema);
  }

  /** Drops statements that show the key: no file and no other process gets it. */
  async #withoutKey(profile: Profile, statements: readonly string[]): Promise<readonly string[]> {
    const key = await this.#parts.keyOf(profile);
    return key === undefined ? statements : doInTurns(statementsWithoutKey(statements, key));
  }

  /** Forgets the schemas of projects that were removed, or that are now reached elsewhere. */
  async #forgetRemoved(): Promise<void> {
    const { profiles, problems, localFault } = await this.#parts.listProjects();
    // An incomplete list does not show which projects were removed.
    const isComplete = problems.length === 0 && localFault === undefined && this.#parts.isTrusted();
    const names = new Map(profiles.map(profile => [profile.id, schemaFileName(profile)]));
    for (const [profileId, { fileName, refresh }] of this.#entries) {
      const name = names.get(profileId);
      if (name === fileName || (name === undefined && !isComplete)) continue;
      refresh.dispose();
      this.#entries.delete(profileId);
      this.#changes.fire({ profileId, hasNewStatements: true });
    }
    if (isComplete) await this.#files.keepOnly(new Set(names.values()));
  }
}

/** Whether the same call may succeed later, without any change by the user. */
function mayRetry(thrown: unknown): boolean {
  const error = asProjectError(thrown);
  if (error?.kind !== 'service') return error?.kind !== 'misuse' && error?.kind !== 'protocol';
  const status = asServiceError(error)?.status ?? 0;
  return status === 429 || status >= 500;
}

/** The redactor takes a longer text for a secret as a whole. */
const pieceLength = 16 * 1024;

/** A key is found if no spelling of it is longer. */
const overlap = 4 * 1024;

/**
 * The statements without those that show a key, in steps. A service knows its key, and may write it into a statement: in a
 * spelling that the redactor finds, or in the hexadecimal digits of a BLOB.
 */
function* statementsWithoutKey(statements: readonly string[], key: string): Steps<string[]> {
  const redactor = new Redactor([key]);
  const digits = Buffer.from(key).toString('hex');
  const clean: string[] = [];
  for (const statement of statements) {
    let showsKey = false;
    for (let start = 0; start < statement.length && !showsKey; start += pieceLength - overlap) {
      const piece = statement.slice(start, start + pieceLength);
      showsKey = redactor.text(piece) !== piece || piece.toLowerCase().includes(digits);
      yield;
    }
    if (!showsKey) clean.push(statement);
  }
  return clean;
}
