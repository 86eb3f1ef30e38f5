import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { countsChangesByFirstWord } from '../../../../sql/effect/effectByFirstWord.ts';
import type { Column } from '../../../../wire/values.ts';
import type { CountOutcome, IdempotencyKey } from '../../../engine.ts';
import { isDiskFull, tooLarge } from '../../../faults.ts';
import { committing, noCall, type RunningCall } from '../runningCall.ts';
import { type Connection, cursorRows } from './connection.ts';
import type { KeyedCalls } from './keyedCalls.ts';
import type { KeyedAnswer } from './replayRecords.ts';
import { RowBatches } from './rowBatches.ts';

interface Write {
  readonly call: number;
  readonly sql: string;
  readonly statement: StatementSync;
  readonly values: SQLInputValue[];
  readonly writeKey: IdempotencyKey | undefined;
  readonly now: number;
}

type WriteResult =
  | CountOutcome
  | {
      readonly kind: 'rows';
      readonly columns: readonly Column[];
      readonly batches: readonly Uint8Array[];
      readonly replayed: boolean;
    };

export type CallResult = WriteResult | { readonly kind: 'fault'; readonly thrown: unknown };

export interface FinishedWrite {
  readonly call: number;
  readonly result: CallResult;
}

/** The most writes in one commit, and how long they may run: the first write waits for the last. */
const groupSize = 64;
const groupMs = 10;
/** The rows of RETURNING wait in memory for the commit. */
const maxReturnedBytes = 16 * 1024 * 1024;

interface WriteQueueParts {
  readonly connection: Connection;
  readonly keyedCalls: KeyedCalls;
  readonly running: RunningCall;
  /** How long each write may run. */
  readonly statementMs: number;
}

/**
 * Runs writes in the order in which they came. Waiting writes share a transaction, because the disk is the expensive part.
 * Each write has a savepoint, so that a failed one leaves no trace. Reports come after the commit.
 */
export class WriteQueue {
  readonly #connection: Connection;
  readonly #keyedCalls: KeyedCalls;
  readonly #running: RunningCall;
  readonly #statementMs: number;
  readonly #schemaVersion: StatementSync;
  #pendingWrites: Write[] = [];
  /** Whether writes may share a transaction, for this version of the schema. */
  #sharing = { schemaVersion: -1, isAllowed: false };

  constructor({ connection, keyedCalls, running, statementMs }: WriteQueueParts) {
    this.#connection = connection;
    this.#keyedCalls = keyedCalls;
    this.#running = running;
    this.#statementMs = statementMs;
    this.#schemaVersion = connection.trusted(database => database.prepare('PRAGMA schema_version'));
  }

  get isEmpty(): boolean {
    return this.#pendingWrites.length === 0;
  }

  add(write: Write): void {
    this.#pendingWrites.push(write);
  }

  /** Removes a write that still waits. Returns whether there was one. */
  remove(call: number): boolean {
    const removed = this.#pendingWrites.find(write => write.call === call);
    if (!removed) return false;
    this.#pendingWrites = this.#pendingWrites.filter(write => write !== removed);
    if (removed.writeKey) this.#keyedCalls.end(removed.writeKey);
    return true;
  }

  /** Runs the next group of writes. */
  run(): FinishedWrite[] {
    const group = this.#nextGroup();
    const finished = this.#runGroup(group) ?? group.flatMap(write => this.#runGroup([write]) ?? []);
    const complete = finished.some(lacksSpace) ? this.#repeatInLog(group, finished) : finished;
    this.#settle(this.#pendingWrites.splice(0, complete.length), complete);
    return complete;
  }

  /** Repeats writes that found no space. After the log is copied into the database, its space is free for them. */
  #repeatInLog(group: readonly Write[], finished: readonly FinishedWrite[]): FinishedWrite[] {
    if (!this.#copyLog()) return [...finished];
    return finished.map((write, i) => (lacksSpace(write) && this.#runGroup(group.slice(i, i + 1))?.[0]) || write);
  }

  /** Returns false if the database has no space for the log. */
  #copyLog(): boolean {
    return this.#connection.trusted(database => {
      try {
        database.exec('PRAGMA wal_checkpoint');
        return true;
      } catch {
        return false;
      }
    });
  }

  /** The answers of committed writes were stored with them. Stores the answers of failed writes. */
  #settle(writes: readonly Write[], finished: readonly FinishedWrite[]): void {
    const failed: KeyedAnswer[] = [];
    for (const [i, { writeKey, now }] of writes.entries()) {
      const result = finished[i]?.result;
      if (writeKey && result?.kind === 'fault') failed.push({ writeKey, now, result });
      else if (writeKey) this.#keyedCalls.end(writeKey);
    }
    this.#keyedCalls.settle(failed, failed[0]?.now ?? 0);
  }

  #nextGroup(): Write[] {
    // Other statements, such as DDL, get their own transaction.
    const firstOther = this.#pendingWrites.findIndex(({ sql }) => !countsChangesByFirstWord(sql));
    const size = firstOther === -1 ? groupSize : Math.min(firstOther, groupSize);
    return this.#pendingWrites.slice(0, size > 1 && this.#mayShare() ? size : 1);
  }

  /** A deferred constraint is checked at the commit, where it would fail the whole group. */
  #mayShare(): boolean {
    const schemaVersion = Number(this.#connection.trusted(() => this.#schemaVersion.get())?.['schema_version']);
    if (schemaVersion !== this.#sharing.schemaVersion) {
      const sql = `SELECT 1 FROM sqlite_schema WHERE sql LIKE '%deferred%'`;
      const deferred = this.#connection.trusted(database => database.prepare(sql).get());
      this.#sharing = { schemaVersion, isAllowed: deferred === undefined };
    }
    return this.#sharing.isAllowed;
  }

  /** Runs the first writes of the group in one transaction. Returns undefined if one of them ended it for the others. */
  #runGroup(group: readonly Write[]): FinishedWrite[] | undefined {
    const startedAt = performance.now();
    const finished: FinishedWrite[] = [];
    try {
      // The lock of another program may take two seconds. Other projects need not wait for it.
      this.#running.replace(group[0]!.call);
      this.#control('BEGIN IMMEDIATE');
    } catch (thrown) {
      // Another program has locked the database, so all writes of the group fail.
      this.#running.replace(noCall);
      return group.map(({ call }) => ({ call, result: { kind: 'fault', thrown } }));
    }
    try {
      for (const write of group) {
        finished.push(this.#runWrite(write));
        if (!this.#connection.database.isTransaction) return group.length === 1 ? finished : undefined;
        if (performance.now() - startedAt > groupMs) break;
      }
      this.#running.replace(committing);
      this.#keyedCalls.records.storeGroup(group[0]?.now ?? 0);
      this.#control('COMMIT');
      return finished;
    } catch (thrown) {
      if (this.#connection.database.isTransaction) this.#control('ROLLBACK');
      return group.length === 1 ? group.map(({ call }) => ({ call, result: { kind: 'fault', thrown } })) : undefined;
    } finally {
      this.#keyedCalls.records.endGroup();
      this.#running.replace(noCall);
    }
  }

  #runWrite(write: Write): FinishedWrite {
    const { call, writeKey, now } = write;
    this.#running.replace(call, this.#statementMs);
    this.#control('SAVEPOINT one');
    try {
      const result = this.#connection.attempt(() => perform(write), write.sql);
      this.#control('RELEASE one');
      if (writeKey) this.#keyedCalls.records.add({ writeKey, now, result });
      return { call, result };
    } catch (thrown) {
      if (this.#connection.database.isTransaction) this.#control('ROLLBACK TO one; RELEASE one');
      return { call, result: { kind: 'fault', thrown } };
    }
  }

  #control(sql: string): void {
    this.#connection.attempt(() => this.#connection.trusted(database => database.exec(sql)));
  }
}

const lacksSpace = ({ result }: FinishedWrite): boolean => result.kind === 'fault' && isDiskFull(result.thrown);

function perform({ sql, statement, values }: Write): WriteResult {
  if (statement.columns().length === 0) {
    const { changes } = statement.run(...values);
    return { kind: 'count', rowCount: countsChangesByFirstWord(sql) ? Number(changes) : 0, replayed: false };
  }
  const rows = new RowBatches(cursorRows(statement, values), () => statement.columns());
  try {
    const batches: Uint8Array[] = [];
    let sizeBytes = 0;
    for (let batch = rows.next(); batch; batch = rows.next()) {
      sizeBytes += batch.length;
      if (sizeBytes > maxReturnedBytes) {
        throw tooLarge(
          `The rows that a write returns may have ${maxReturnedBytes} bytes. Nothing was changed. Return fewer columns, or change fewer rows at once.`,
        );
      }
      batches.push(batch);
    }
    return { kind: 'rows', columns: rows.columns(), batches, replayed: false };
  } finally {
    rows.close();
  }
}
