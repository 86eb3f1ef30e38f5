import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { countsChangesByFirstWord } from '../../../../sql/effect/effectByFirstWord.ts';
import { serviceCodes, ServiceError } from '../../../../wire/serviceError.ts';
import type { Column } from '../../../../wire/values.ts';
import { committing, type Holder, nobody } from '../holder.ts';
import { type Connection, rowsOf } from './connection.ts';
import type { Once, OnceRecords } from './onceRecords.ts';
import { RowBatches } from './rowBatches.ts';

export interface Write {
  readonly call: number;
  readonly sql: string;
  readonly statement: StatementSync;
  readonly values: SQLInputValue[];
  readonly once: Once | undefined;
  readonly now: number;
}

export type WriteOutcome =
  | { readonly kind: 'count'; readonly rowCount: number; readonly replayed: boolean }
  | {
      readonly kind: 'rows';
      readonly columns: readonly Column[];
      readonly batches: readonly Uint8Array[];
      readonly replayed: boolean;
    };

export interface Written {
  readonly call: number;
  readonly result: WriteOutcome | { readonly kind: 'fault'; readonly thrown: unknown };
}

/** Writes that share a commit, and how long they may take to gather, in milliseconds: the first waits for the last. */
const groupSize = 64;
const groupTime = 10;
/** Rows of RETURNING are held until the commit, so there is a bound to them, in bytes. */
const returningLimit = 16 * 1024 * 1024;

/**
 * Writes in the order they came. Those that wait at the same time share a transaction, since what costs is the way to the
 * disk; each stands in a savepoint, so that one that fails leaves no trace, and all are told of only after the commit.
 */
export class WriteQueue {
  readonly #connection: Connection;
  readonly #records: OnceRecords;
  readonly #holder: Holder;
  readonly #schemaVersion: StatementSync;
  #waiting: Write[] = [];
  #shares = { version: -1, allowed: false };

  constructor(connection: Connection, records: OnceRecords, holder: Holder) {
    this.#connection = connection;
    this.#records = records;
    this.#holder = holder;
    this.#schemaVersion = connection.trusted(database => database.prepare('PRAGMA schema_version'));
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(write: Write): void {
    this.#waiting.push(write);
  }

  /** Whether the write was still waiting; it is not any more. */
  remove(call: number): boolean {
    const kept = this.#waiting.filter(write => write.call !== call);
    const removed = kept.length < this.#waiting.length;
    this.#waiting = kept;
    return removed;
  }

  /** Runs the next writes, and tells what became of each. */
  run(): Written[] {
    const group = this.#nextGroup();
    const written = this.#together(group) ?? group.flatMap(write => this.#together([write]) ?? []);
    this.#waiting.splice(0, written.length);
    return written;
  }

  #nextGroup(): Write[] {
    const alone = this.#waiting.findIndex(({ sql }) => !countsChangesByFirstWord(sql));
    const together = alone === -1 ? groupSize : Math.min(alone, groupSize);
    return this.#waiting.slice(0, together > 1 && this.#mayShare() ? together : 1);
  }

  /** A constraint that is checked at the commit would be checked for all of a group at once. */
  #mayShare(): boolean {
    const version = Number(this.#connection.trusted(() => this.#schemaVersion.get())?.['schema_version']);
    if (version !== this.#shares.version) {
      const sql = `SELECT 1 FROM sqlite_schema WHERE sql LIKE '%deferred%'`;
      const deferred = this.#connection.trusted(database => database.prepare(sql).get());
      this.#shares = { version, allowed: deferred === undefined };
    }
    return this.#shares.allowed;
  }

  /** Runs the first of the writes in one transaction, or gives undefined when one of them ended it for the others. */
  #together(group: readonly Write[]): Written[] | undefined {
    const started = performance.now();
    const written: Written[] = [];
    try {
      this.#control('BEGIN IMMEDIATE');
    } catch (thrown) {
      // Somebody else has the database, and would have it for each of them.
      return group.map(({ call }) => ({ call, result: { kind: 'fault', thrown } }));
    }
    try {
      for (const write of group) {
        written.push(this.#within(write));
        if (!this.#connection.database.isTransaction) return group.length === 1 ? written : undefined;
        if (performance.now() - started > groupTime) break;
      }
      this.#holder.pass(committing);
      this.#records.keep(group[0]?.now ?? 0);
      this.#control('COMMIT');
      return written;
    } catch (thrown) {
      if (this.#connection.database.isTransaction) this.#control('ROLLBACK');
      return group.length === 1 ? group.map(({ call }) => ({ call, result: { kind: 'fault', thrown } })) : undefined;
    } finally {
      this.#records.endGroup();
      this.#holder.pass(nobody);
    }
  }

  #within(write: Write): Written {
    const { call, once, now } = write;
    this.#holder.pass(call);
    this.#control('SAVEPOINT one');
    try {
      const known = once && this.#records.find(once, now);
      const outcome = known ?? this.#connection.attempt(() => perform(write));
      this.#control('RELEASE one');
      if (once && !known) this.#records.give(once, now, outcome);
      return { call, result: outcome };
    } catch (thrown) {
      if (this.#connection.database.isTransaction) this.#control('ROLLBACK TO one; RELEASE one');
      return { call, result: { kind: 'fault', thrown } };
    }
  }

  #control(sql: string): void {
    this.#connection.attempt(() => this.#connection.trusted(database => database.exec(sql)));
  }
}

function perform({ sql, statement, values }: Write): WriteOutcome {
  if (statement.columns().length === 0) {
    const { changes } = statement.run(...values);
    return { kind: 'count', rowCount: countsChangesByFirstWord(sql) ? Number(changes) : 0, replayed: false };
  }
  const rows = new RowBatches(rowsOf(statement, values), () => statement.columns());
  try {
    const batches: Uint8Array[] = [];
    let size = 0;
    for (let batch = rows.next(); batch; batch = rows.next()) {
      size += batch.length;
      if (size > returningLimit) {
        const message = `The rows that a write returns may have ${returningLimit} bytes; nothing was changed.`;
        throw new ServiceError({ status: 413, code: serviceCodes.tooLarge, message });
      }
      batches.push(batch);
    }
    return { kind: 'rows', columns: rows.columns(), batches, replayed: false };
  } finally {
    rows.close();
  }
}
