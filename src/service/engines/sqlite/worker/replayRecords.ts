import { rememberedMs } from '../../../../wire/headers.ts';
import { ServiceError, type ServiceFault } from '../../../../wire/serviceError.ts';
import type { Column } from '../../../../wire/values.ts';
import type { IdempotencyKey } from '../../../engine.ts';
import type { ProjectSettings } from '../projectBridge.ts';
import { requireSameCall } from '../../common/callChecks.ts';
import { CommitMark, isHalfRound } from './commitMark.ts';
import type { Connection } from './connection.ts';
import { ReplayFile, type ReplayRecord } from './replayFile.ts';
import type { CallResult } from './writeQueue.ts';

/** A keyed call and its answer. Without a result, the call has begun and owns its key, but no answer was kept. */
export interface KeyedAnswer {
  readonly writeKey: IdempotencyKey;
  readonly now: number;
  readonly result?: CallResult | undefined;
}

const hourMs = 60 * 60 * 1000;
/** The most records that wait in memory while the disk takes none. */
const maxUnstored = 1000;

/**
 * The stored answers of keyed calls. They are in a file of their own, where no tenant sees them.
 *
 * The record of a write counts only if the write was committed. The records of a group get a generation, and are on the disk
 * before the commit. The commit marks the database with that generation. Records of later generations than the mark are removed.
 * So a write and its record never exist without each other, even if the process or the power ends.
 */
export class ReplayRecords {
  readonly #settings: ProjectSettings;
  readonly #connection: Connection;
  readonly #mark: CommitMark;
  /** The records of the current group, by their keys. */
  readonly #group = new Map<string, ReplayRecord>();
  /** Records that the disk did not take, by their keys. They have no rows. */
  readonly #unstored = new Map<string, ReplayRecord>();
  #file: ReplayFile | undefined;
  /** The generation that file and database agree on; undefined until the next call compares them. */
  #generation: number | undefined;
  #lastCleanup = -Infinity;
  #isHalfRound = false;
  #isSyncing = false;

  constructor(settings: ProjectSettings, connection: Connection) {
    this.#settings = settings;
    this.#connection = connection;
    this.#mark = new CommitMark(connection);
  }

  find(writeKey: IdempotencyKey, now: number): CallResult | undefined {
    const record = this.#find(writeKey.key, now);
    if (!record) return undefined;
    requireSameCall(writeKey, record.fingerprint);
    return hasAnswer(record) ? resultOf(record) : undefined;
  }

  /** Adds the answer of a write to the current group. */
  add(answer: KeyedAnswer): void {
    this.#group.set(answer.writeKey.key, recordOf(answer));
  }

  /** Stores the group's records as the next generation, and marks the open transaction with it, as its last statement. */
  storeGroup(now: number): void {
    if (this.#group.size === 0) return;
    this.#removeOld(now);
    this.#storeNext(this.#group.values());
  }

  /** Must run after each group, committed or not. */
  endGroup(): void {
    this.#group.clear();
    if (this.#settings.synchronous === 'FULL' || this.#isSyncing === this.#isHalfRound) return;
    // A power failure may undo commits that are not synced, but too few for the marks to repeat.
    this.#isSyncing = this.#isHalfRound;
    const level = this.#isSyncing ? 'FULL' : this.#settings.synchronous;
    this.#connection.trusted(database => database.exec(`PRAGMA synchronous = ${level}`));
  }

  /**
   * Stores the answers of calls that changed nothing. They belong to the last committed generation. If a power failure undoes
   * that, the answers go with the state that they describe. Answers that the disk does not take are kept in memory, without
   * rows: a read and a refusal need no disk, so a full disk must not hide them.
   */
  store(answers: readonly KeyedAnswer[], now: number): void {
    for (const answer of answers) {
      const { key } = answer.writeKey;
      if (answer.result || !this.#unstored.has(key)) this.#unstored.set(key, recordOf(answer));
    }
    try {
      this.#removeOld(now);
      if (this.#settledFile().generation === 0) this.#markFirstGeneration();
      const { file, generation } = this.#settledFile();
      // A call without an answer never replaces an answer.
      const records = this.#unstored
        .values()
        .filter(record => unexpired(record, now) && (hasAnswer(record) || !this.#findStored(record.key, now)));
      file.store(generation, [...records]);
      this.#unstored.clear();
    } catch {
      for (const { writeKey, result } of answers) {
        if (result?.kind === 'rows') this.#unstored.set(writeKey.key, recordOf({ writeKey, now }));
      }
      const excess = Math.max(0, this.#unstored.size - maxUnstored);
      for (const key of this.#unstored.keys().take(excess)) this.#unstored.delete(key);
    }
  }

  close(): void {
    this.#file?.close();
  }

  #find(key: string, now: number): ReplayRecord | undefined {
    const stored = this.#findStored(key, now);
    return stored && hasAnswer(stored) ? stored : (unexpired(this.#unstored.get(key), now) ?? stored);
  }

  #findStored(key: string, now: number): ReplayRecord | undefined {
    return unexpired(this.#settledFile().file.find(key), now);
  }

  /** No record belongs to a database without a mark, which could be any database. */
  #markFirstGeneration(): void {
    this.#connection.trusted(database => database.exec('BEGIN IMMEDIATE'));
    try {
      this.#storeNext([]);
      this.#connection.trusted(database => database.exec('COMMIT'));
    } catch (thrown) {
      if (this.#connection.database.isTransaction) this.#connection.trusted(database => database.exec('ROLLBACK'));
      throw thrown;
    }
  }

  #storeNext(records: Iterable<ReplayRecord>): void {
    const { file, generation } = this.#settledFile();
    // At the next call, the mark of the database shows whether the commit has succeeded.
    this.#generation = undefined;
    file.store(generation + 1, records);
    this.#mark.write(generation + 1);
    this.#isHalfRound = isHalfRound(generation + 1);
  }

  #removeOld(now: number): void {
    if (now - this.#lastCleanup < hourMs) return;
    this.#settledFile().file.removeUntil(now - rememberedMs);
    this.#lastCleanup = now;
  }

  #settledFile(): { file: ReplayFile; generation: number } {
    const file = (this.#file ??= new ReplayFile(this.#settings.records));
    if (this.#generation === undefined) {
      const lastGeneration = file.lastGeneration();
      const committed = this.#mark.read(lastGeneration);
      if (committed !== lastGeneration) file.goBackTo(committed);
      this.#generation = committed;
    }
    return { file, generation: this.#generation };
  }
}

const unexpired = (record: ReplayRecord | undefined, now: number): ReplayRecord | undefined =>
  record && record.answeredAt > now - rememberedMs ? record : undefined;

const hasAnswer = ({ rowCount, columns, fault }: ReplayRecord): boolean =>
  rowCount !== null || columns !== null || fault !== null;

function recordOf({ writeKey: { key, fingerprint }, now, result }: KeyedAnswer): ReplayRecord {
  return {
    key,
    fingerprint,
    answeredAt: now,
    rowCount: result?.kind === 'count' ? result.rowCount : null,
    columns: result?.kind === 'rows' ? JSON.stringify(result.columns) : null,
    rows: result?.kind === 'rows' ? Buffer.concat(result.batches) : null,
    fault: result?.kind === 'fault' && isOwnFault(result.thrown) ? JSON.stringify(storableFault(result.thrown)) : null,
  };
}

/**
 * Whether a fault is the statement's own, and so its answer. Other faults pass, and are not stored: the call may succeed when it
 * is sent again with its key.
 */
const isOwnFault = (thrown: unknown): thrown is ServiceError => thrown instanceof ServiceError && thrown.status < 500;

const storableFault = ({ status, code, message, details }: ServiceError): ServiceFault => {
  return { status, code, message, details };
};

function resultOf({ rowCount, columns, rows, fault }: ReplayRecord): CallResult {
  if (fault !== null) {
    const thrown = new ServiceError({ ...(JSON.parse(fault) as ServiceFault), replayed: true });
    return { kind: 'fault', thrown };
  }
  if (rowCount !== null) return { kind: 'count', rowCount, replayed: true };
  return {
    kind: 'rows',
    columns: JSON.parse(columns ?? '[]') as Column[],
    batches: rows && rows.length > 0 ? [rows] : [],
    replayed: true,
  };
}
