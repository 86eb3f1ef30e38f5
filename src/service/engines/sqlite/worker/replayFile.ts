import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { messageOf } from '../../../../base/errors.ts';
import { inTransaction } from '../../../../base/inTransaction.ts';
import { ServiceError } from '../../../../wire/serviceError.ts';
import { lockWaitMs } from './databaseFile.ts';
import { sqliteFault } from './sqliteFault.ts';

/** The stored answer of a keyed call: a count, columns and rows, or a fault. Without any of them, no answer was kept. */
export interface ReplayRecord {
  readonly key: string;
  readonly fingerprint: string;
  /** Milliseconds since the epoch. */
  readonly answeredAt: number;
  readonly rowCount: number | null;
  /** As JSON. */
  readonly columns: string | null;
  readonly rows: Uint8Array | null;
  /** As JSON. */
  readonly fault: string | null;
}

/**
 * The file of a project's replay records. The writes of one commit are one generation. Only one process writes it: another one
 * that is blocked may still have it open. Stored records are on the disk.
 */
export class ReplayFile {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #find: StatementSync;
  readonly #store: StatementSync;
  readonly #raiseLast: StatementSync;

  constructor(file: string) {
    this.#file = file;
    this.#database = new DatabaseSync(file, { timeout: lockWaitMs });
    try {
      this.#database.exec(`
        PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
        CREATE TABLE IF NOT EXISTS answers (
          key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, answered_at INTEGER NOT NULL,
          row_count INTEGER, columns TEXT, rows BLOB, generation INTEGER NOT NULL, fault TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS last (generation INTEGER NOT NULL) STRICT;
        INSERT INTO last SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM last)`);
      this.#find = this.#database.prepare('SELECT * FROM answers WHERE key = ?');
      this.#store = this.#database.prepare('INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
      this.#raiseLast = this.#database.prepare('UPDATE last SET generation = max(generation, ?)');
    } catch (thrown) {
      this.#database.close();
      throw this.#fault(thrown);
    }
  }

  /** 0 before the first store. */
  lastGeneration(): number {
    return this.#attempt(() => Number(this.#database.prepare('SELECT generation FROM last').get()?.['generation']));
  }

  find(key: string): ReplayRecord | undefined {
    const row = this.#attempt(() => this.#find.get(key));
    if (!row) return undefined;
    const rowCount = row['row_count'];
    return {
      key,
      fingerprint: String(row['fingerprint']),
      answeredAt: Number(row['answered_at']),
      rowCount: rowCount === null ? null : Number(rowCount),
      columns: row['columns'] as string | null,
      rows: row['rows'] as Uint8Array | null,
      fault: row['fault'] as string | null,
    };
  }

  store(generation: number, records: Iterable<ReplayRecord>): void {
    this.#change(() => {
      for (const { key, fingerprint, answeredAt, rowCount, columns, rows, fault } of records) {
        this.#store.run(key, fingerprint, answeredAt, rowCount, columns, rows, generation, fault);
      }
      this.#raiseLast.run(generation);
    });
  }

  /** Removes all later generations. */
  goBackTo(generation: number): void {
    this.#change(() => {
      this.#database.prepare('DELETE FROM answers WHERE generation > ?').run(generation);
      this.#database.prepare('UPDATE last SET generation = ?').run(generation);
    });
  }

  removeUntil(answeredAt: number): void {
    this.#attempt(() => this.#database.prepare('DELETE FROM answers WHERE answered_at <= ?').run(answeredAt));
  }

  close(): void {
    this.#database.close();
  }

  #change(run: () => void): void {
    this.#attempt(() => inTransaction(this.#database, run));
  }

  #attempt<T>(run: () => T): T {
    try {
      return run();
    } catch (thrown) {
      throw this.#fault(thrown);
    }
  }

  /** The fault is in this file, not in the caller's statement. */
  #fault(thrown: unknown): unknown {
    const fault = sqliteFault(thrown);
    if (fault instanceof ServiceError && fault.status >= 500) return fault;
    return new Error(`The replay records in ${this.#file} cannot be used: ${messageOf(thrown)}.`);
  }
}
