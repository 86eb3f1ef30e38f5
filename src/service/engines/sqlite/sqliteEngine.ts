import { mkdirSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../../base/clock.ts';
import type { ProjectRecord } from '../../../wire/answers.ts';
import type { TableColumn } from '../../../wire/projectAnswers.ts';
import type { Engine, EngineUsage, Outcome, EnginePage, RowsOutcome, SqlCall } from '../../engine.ts';
import { badRequest, diskFault, diskState } from '../../faults.ts';
import { sqliteLimits } from './sqliteLimits.ts';
import { mayHaveLostKey } from './processFaults.ts';
import { type PoolOptions, ProjectPool } from './projectPool.ts';
import { removeDatabase } from './worker/databaseFile.ts';
import { requireSafeSqlite } from './safeSqlite.ts';

export type SqliteEngineOptions = Partial<Omit<PoolOptions, 'folder'>>;

const defaults = {
  synchronous: 'FULL',
  clock: systemClock,
  idleMs: 60_000,
  sharedProcesses: 6,
  maxProcesses: 16,
  maxProjects: 1500,
  statementMs: 60_000,
  maxMegabytes: 2048,
  /** Long enough for a user who reads the first rows and thinks about the rest. */
  readerMs: 30 * 60_000,
} as const satisfies SqliteEngineOptions;

/**
 * One SQLite file for each project. While the project is used, one process has the file open. A statement cannot be interrupted,
 * but a process can be ended. The first projects have processes of their own, and further ones share them. If one project blocks
 * its process, the others continue in another process.
 */
export class SqliteEngine implements Engine {
  readonly description = { name: 'sqlite', limits: sqliteLimits };
  readonly #options: PoolOptions;
  readonly #pool: ProjectPool;
  /** The disk is probed once for simultaneous calls. */
  #runningProbe: Promise<string | undefined> | undefined;

  constructor(folder: string, options: SqliteEngineOptions = {}) {
    requireSafeSqlite();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#options = { ...defaults, ...options, folder };
    this.#pool = new ProjectPool(this.#options);
  }

  /** Makes the project's database. */
  async create(projectId: string): Promise<void> {
    await this.#pool.call(projectId, { method: 'open', params: {} });
  }

  async execute(projectId: string, { body, idempotencyKey, scope, signal }: SqlCall): Promise<Outcome> {
    const params = { body, idempotencyKey, scope, now: this.#options.clock.now() };
    try {
      return await this.#pool.call(projectId, { method: 'execute', params }, signal);
    } catch (thrown) {
      // Wait for the claim, even if nobody waits for the error: the body counts as used memory until then.
      if (idempotencyKey !== undefined && mayHaveLostKey(thrown)) {
        // The error of the call matters more than that of its claim.
        await this.#pool.call(projectId, { method: 'claim', params }).catch(() => {});
      }
      throw thrown;
    }
  }

  async browse(projectId: string, page: EnginePage, signal?: AbortSignal): Promise<RowsOutcome> {
    return this.#pool.call(projectId, { method: 'browse', params: page }, signal);
  }

  async listTables(projectId: string): Promise<readonly string[]> {
    return (await this.#pool.call(projectId, { method: 'listTables', params: {} })).value;
  }

  async schema(projectId: string, table: string): Promise<readonly TableColumn[]> {
    return (await this.#pool.call(projectId, { method: 'schema', params: { table } })).value;
  }

  async vacuum(projectId: string): Promise<void> {
    await this.#pool.call(projectId, { method: 'vacuum', params: {} });
  }

  /** The problems of the database, in SQLite's words. A sound database has none. */
  async integrityCheck(projectId: string): Promise<readonly string[]> {
    return (await this.#pool.call(projectId, { method: 'integrityCheck', params: {} })).value;
  }

  /** Writes a consistent copy into a new file, also while the project is in use. `mark` makes the copy a backup. */
  async exportTo(projectId: string, file: string, mark?: ProjectRecord): Promise<void> {
    await this.#pool.call(projectId, { method: 'export', params: { file, mark } });
  }

  /** Replaces the project's database by a file. If the file is not sound, throws and changes nothing. */
  async importFrom(projectId: string, file: string): Promise<void> {
    const copy = `${this.#pool.fileOf(projectId)}.import`;
    // Checking a sound file takes less than a second for each megabyte. Definitions in another file may compute forever.
    const { clock, statementMs } = this.#options;
    const limitMs = statementMs + (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1000;
    const reason = 'SQLite needs too long to check the file. Nothing was changed. Choose another file.';
    try {
      await this.#pool.runAlone(projectId, async place => {
        const cancelTimer = clock.after(limitMs, () => void place.end({ all: badRequest(reason) }));
        await place.call({ method: 'prepareImport', params: { file, copy } }).finally(cancelTimer);
        await place.end();
        await rename(copy, this.#pool.fileOf(projectId));
        // The records do not belong to the new database. A keyed write would remove them later anyway.
        await removeDatabase(this.#pool.recordsOf(projectId));
      });
    } finally {
      await removeDatabase(copy);
    }
  }

  /** Stops the project's statements and removes all its files. */
  async remove(projectId: string): Promise<void> {
    await this.#pool.discard(projectId, async () => {
      await removeDatabase(this.#pool.fileOf(projectId));
      await removeDatabase(this.#pool.recordsOf(projectId));
    });
  }

  async readOnlyReason(): Promise<string | undefined> {
    this.#runningProbe ??= diskProblem(join(this.#options.folder, 'probe')).finally(
      () => (this.#runningProbe = undefined),
    );
    return this.#runningProbe;
  }

  usage(): EngineUsage {
    return this.#pool.usage();
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}

/** More than SQLite needs to open a project and commit a small write. */
const probeBytes = 64 * 1024;

/** Undefined if the disk takes data. Only a write shows that: a quota may be used up on a disk with space. */
async function diskProblem(file: string): Promise<string | undefined> {
  try {
    await writeFile(file, randomBytes(probeBytes), { flush: true });
    return undefined;
  } catch (thrown) {
    if (!diskFault(thrown)) throw thrown;
    return diskState;
  } finally {
    await rm(file, { force: true });
  }
}
