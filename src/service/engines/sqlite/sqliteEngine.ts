import { mkdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Engine, Outcome, Page, RowsOutcome, SqlCall, TableColumn } from '../../engine.ts';
import type { ProjectRequest, Synchronous } from './messages.ts';
import { ProjectPool } from './projectPool.ts';
import { requireSafeSqlite } from './safeSqlite.ts';

export interface SqliteEngineOptions {
  /** How long a statement may run, in milliseconds. */
  readonly statementTime?: number;
  /** How long the rows of an answer may wait for their reader in all, in milliseconds: while they do, they hold what they were. */
  readonly readerTime?: number;
  /** How long the process of a project is kept that nobody uses, in milliseconds. */
  readonly idleTime?: number;
  /** How many projects may have a process at the same time. */
  readonly mostProcesses?: number;
  /** How much memory the process of a project may take: far more than the longest row needs, which is written in several forms. */
  readonly mostMegabytes?: number;
  readonly synchronous?: Synchronous;
  readonly clock?: Clock;
}

/** Long enough for whoever reads a first part and thinks about the rest. */
const usualReaderTime = 30 * 60 * 1000;

/**
 * One SQLite file a project, in a process of its own while it is used: a statement cannot be interrupted, but a process can
 * be ended, and a crash touches one project.
 */
export class SqliteEngine implements Engine {
  readonly #pool: ProjectPool;
  readonly #clock: Clock;
  readonly #statementTime: number;

  constructor(folder: string, options: SqliteEngineOptions = {}) {
    requireSafeSqlite();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { statementTime = 60_000, idleTime = 60_000, mostProcesses = 16, mostMegabytes = 2048 } = options;
    const { readerTime = usualReaderTime, synchronous = 'FULL', clock = systemClock } = options;
    this.#clock = clock;
    this.#statementTime = statementTime;
    const bounds = { idleTime, mostProcesses, mostMegabytes, readerTime };
    this.#pool = new ProjectPool({ folder, synchronous, clock, ...bounds });
  }

  async create(projectId: string): Promise<void> {
    await this.#value(projectId, { kind: 'open' });
  }

  async execute(projectId: string, { sql, params, once, signal }: SqlCall): Promise<Outcome> {
    const request = { kind: 'execute', sql, params, once, now: this.#clock.now() } as const;
    const answer = await this.#pool.call(projectId, { request, limit: this.#statementTime, signal });
    if (answer.kind === 'value') throw new TypeError('A statement came to nothing.');
    return answer;
  }

  async browse(projectId: string, page: Page, signal?: AbortSignal): Promise<RowsOutcome> {
    const call = { request: { kind: 'browse', page }, limit: this.#statementTime, signal } as const;
    const answer = await this.#pool.call(projectId, call);
    if (answer.kind !== 'rows') throw new TypeError('A page came to something else than rows.');
    return answer;
  }

  async listTables(projectId: string): Promise<readonly string[]> {
    return (await this.#value(projectId, { kind: 'listTables' })) as string[];
  }

  async countTables(projectId: string): Promise<number> {
    return (await this.listTables(projectId)).length;
  }

  async schema(projectId: string, table: string): Promise<readonly TableColumn[]> {
    return (await this.#value(projectId, { kind: 'schema', table })) as TableColumn[];
  }

  async vacuum(projectId: string): Promise<void> {
    await this.#value(projectId, { kind: 'vacuum' });
  }

  async integrityCheck(projectId: string): Promise<readonly string[]> {
    return (await this.#value(projectId, { kind: 'integrityCheck' })) as string[];
  }

  async exportTo(projectId: string, file: string): Promise<void> {
    await this.#value(projectId, { kind: 'export', file });
  }

  async importFrom(projectId: string, file: string): Promise<void> {
    const copy = `${this.#pool.fileOf(projectId)}.import`;
    try {
      await this.#pool.alone(projectId, async process => {
        await process.call({ request: { kind: 'prepareImport', file, copy }, limit: Infinity });
        await process.end();
        await rename(copy, this.#pool.fileOf(projectId));
        // They would be forgotten with the next call that has a key: the new database is not marked as theirs.
        await this.#removeRecords(projectId);
      });
    } finally {
      await rm(copy, { force: true });
    }
  }

  async remove(projectId: string): Promise<void> {
    await this.#pool.discard(projectId, async () => {
      const file = this.#pool.fileOf(projectId);
      for (const found of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) await rm(found, { force: true });
      await this.#removeRecords(projectId);
    });
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #removeRecords(projectId: string): Promise<void> {
    const records = this.#pool.recordsOf(projectId);
    for (const file of [records, `${records}-wal`]) await rm(file, { force: true });
  }

  /** What the service asks for itself takes as long as it takes. */
  async #value(projectId: string, request: ProjectRequest): Promise<unknown> {
    const answer = await this.#pool.call(projectId, { request, limit: Infinity });
    return answer.kind === 'value' ? answer.value : undefined;
  }
}
