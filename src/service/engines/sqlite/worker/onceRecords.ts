import type { StatementSync } from 'node:sqlite';
import { serviceCodes, ServiceError } from '../../../../wire/serviceError.ts';
import type { Column } from '../../../../wire/values.ts';
import type { Connection } from './connection.ts';
import { reservedTable } from './guard.ts';
import type { WriteOutcome } from './writeQueue.ts';

export interface Once {
  readonly key: string;
  readonly fingerprint: string;
}

const day = 24 * 60 * 60 * 1000;
const hour = 60 * 60 * 1000;

/** The answers of writes that came with a key. They are written in the writes' own transactions, so neither is without the other. */
export class OnceRecords {
  readonly #connection: Connection;
  readonly #find: StatementSync;
  readonly #keep: StatementSync;
  readonly #forget: StatementSync;
  #forgotten = -Infinity;

  constructor(connection: Connection) {
    this.#connection = connection;
    const prepare = (sql: string): StatementSync => connection.trusted(database => database.prepare(sql));
    this.#find = prepare(
      `SELECT fingerprint, answered_at, row_count, columns, rows FROM ${reservedTable} WHERE key = ?`,
    );
    this.#keep = prepare(`INSERT OR REPLACE INTO ${reservedTable} VALUES (?, ?, ?, ?, ?, ?)`);
    this.#forget = prepare(`DELETE FROM ${reservedTable} WHERE answered_at <= ?`);
  }

  /** The answer that was given for the key before. */
  find({ key, fingerprint }: Once, now: number): WriteOutcome | undefined {
    const found = this.#connection.trusted(() => this.#find.get(key));
    if (!found || Number(found['answered_at']) <= now - day) return undefined;
    if (found['fingerprint'] !== fingerprint) {
      const message = 'This idempotency key was used for another statement. Take a new key for a new statement.';
      throw new ServiceError({ status: 409, code: serviceCodes.idempotencyConflict, message });
    }
    if (found['row_count'] !== null) return { kind: 'count', rowCount: Number(found['row_count']), replayed: true };
    const columns = JSON.parse(String(found['columns'])) as Column[];
    return { kind: 'rows', columns, batches: [found['rows'] as Uint8Array], replayed: true };
  }

  keep({ key, fingerprint }: Once, now: number, outcome: WriteOutcome): void {
    const told =
      outcome.kind === 'count'
        ? ([outcome.rowCount, null, null] as const)
        : ([null, JSON.stringify(outcome.columns), Buffer.concat(outcome.batches)] as const);
    this.#connection.trusted(() => this.#keep.run(key, fingerprint, now, ...told));
  }

  /** Once in a while, forgets what is older than a day. */
  forgetOld(now: number): void {
    if (now - this.#forgotten < hour) return;
    this.#forgotten = now;
    this.#connection.trusted(() => this.#forget.run(now - day));
  }
}
