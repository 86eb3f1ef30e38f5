import { rememberedMs } from '../../../../wire/headers.ts';
import { serviceCodes, ServiceError } from '../../../../wire/serviceError.ts';
import type { Column } from '../../../../wire/values.ts';
import type { WriteKey } from '../../../engine.ts';
import type { ProjectSettings } from '../projectBridge.ts';
import { CommitMark, isHalfRound } from './commitMark.ts';
import type { Connection } from './connection.ts';
import { ReplayFile, type ReplayRecord } from './replayFile.ts';
import type { WriteResult } from './writeQueue.ts';

const hourMs = 60 * 60 * 1000;

/**
 * The stored answers of keyed writes. They stand in a file of their own, where no tenant sees them.
 *
 * A record counts only if its write was committed. The records of a group get a generation and are on the disk before the
 * commit, and the commit marks the database with that generation. Records of a later generation than the mark are removed.
 * So a write and its record never exist without each other, whenever the process or the power ends.
 */
export class ReplayRecords {
  readonly #settings: ProjectSettings;
  readonly #connection: Connection;
  readonly #mark: CommitMark;
  /** The records of the current group, by their keys. */
  readonly #group = new Map<string, ReplayRecord>();
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

  /** The earlier answer for the key. */
  find({ key, fingerprint }: WriteKey, now: number): WriteResult | undefined {
    const record = this.#group.get(key) ?? this.#settled().file.find(key);
    if (!record || record.answeredAt <= now - rememberedMs) return undefined;
    if (record.fingerprint === fingerprint) return resultOf(record);
    const message = 'This idempotency key was used for another statement. Use a new key for each statement.';
    throw new ServiceError({ status: 409, code: serviceCodes.idempotencyConflict, message });
  }

  /** Adds the answer of a write to the current group. */
  add({ key, fingerprint }: WriteKey, now: number, result: WriteResult): void {
    this.#group.set(key, {
      key,
      fingerprint,
      answeredAt: now,
      rowCount: result.kind === 'count' ? result.rowCount : null,
      columns: result.kind === 'rows' ? JSON.stringify(result.columns) : null,
      rows: result.kind === 'rows' ? Buffer.concat(result.batches) : null,
    });
  }

  /** Stores the group's records as the next generation and marks the open transaction with it. Must come last in it. */
  storeGroup(now: number): void {
    if (this.#group.size === 0) return;
    if (now - this.#lastCleanup >= hourMs) {
      this.#settled().file.removeUntil(now - rememberedMs);
      this.#lastCleanup = now;
    }
    const { file, generation } = this.#settled();
    // Whether the commit succeeds is read from the database, with the next call.
    this.#generation = undefined;
    file.store(generation + 1, this.#group.values());
    this.#mark.write(generation + 1);
    this.#isHalfRound = isHalfRound(generation + 1);
  }

  /** The group is over, committed or not. */
  endGroup(): void {
    this.#group.clear();
    if (this.#settings.synchronous === 'FULL' || this.#isSyncing === this.#isHalfRound) return;
    // A power failure may undo commits that are not synced, but not so many that the marks repeat.
    this.#isSyncing = this.#isHalfRound;
    const level = this.#isSyncing ? 'FULL' : this.#settings.synchronous;
    this.#connection.trusted(database => database.exec(`PRAGMA synchronous = ${level}`));
  }

  close(): void {
    this.#file?.close();
  }

  #settled(): { file: ReplayFile; generation: number } {
    const file = (this.#file ??= new ReplayFile(this.#settings.records));
    if (this.#generation === undefined) {
      const last = file.lastGeneration();
      const committed = this.#mark.read(last);
      if (committed !== last) file.goBackTo(committed);
      this.#generation = committed;
    }
    return { file, generation: this.#generation };
  }
}

function resultOf({ rowCount, columns, rows }: ReplayRecord): WriteResult {
  if (rowCount !== null) return { kind: 'count', rowCount, replayed: true };
  return {
    kind: 'rows',
    columns: JSON.parse(columns ?? '[]') as Column[],
    batches: rows && rows.length > 0 ? [rows] : [],
    replayed: true,
  };
}
