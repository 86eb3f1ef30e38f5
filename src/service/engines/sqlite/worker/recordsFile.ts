import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { messageOf } from '../../../../base/errors.ts';
import { ServiceError } from '../../../../wire/serviceError.ts';
import { lockPatience } from './databaseFile.ts';
import { sqliteFault } from './sqliteFault.ts';

/** The answer that was given to a call with a key. Either it counts rows or it has some. */
export interface GivenAnswer {
  readonly key: string;
  readonly fingerprint: string;
  /** Milliseconds since the epoch. */
  readonly answeredAt: number;
  readonly rowCount: number | null;
  /** As JSON. */
  readonly columns: string | null;
  readonly rows: Uint8Array | null;
}

/**
 * The file beside a project's database that remembers the answers of calls with keys, by generations: one for each group of
 * writes that share a commit. It belongs to one process, for as long as that has it open, and what it takes is on the disk.
 */
export class RecordsFile {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #find: StatementSync;
  readonly #keep: StatementSync;

  constructor(file: string) {
    this.#file = file;
    this.#database = new DatabaseSync(file, { timeout: lockPatience });
    try {
      // Locked for good at once, which spares the file that processes share, and before another process is served.
      this.#database.exec(`
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
        CREATE TABLE IF NOT EXISTS answers (
          key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, answered_at INTEGER NOT NULL,
          row_count INTEGER, columns TEXT, rows BLOB, generation INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS answers_by_generation ON answers (generation);
        CREATE TABLE IF NOT EXISTS last (generation INTEGER NOT NULL) STRICT;
        INSERT INTO last SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM last)`);
      this.#find = this.#database.prepare('SELECT * FROM answers WHERE key = ?');
      this.#keep = this.#database.prepare('INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)');
    } catch (thrown) {
      this.#database.close();
      throw this.#fault(thrown);
    }
  }

  /** The generation that was kept last; 0 when there was none. */
  last(): number {
    return this.#attempt(() => Number(this.#database.prepare('SELECT generation FROM last').get()?.['generation']));
  }

  find(key: string): GivenAnswer | undefined {
    const found = this.#attempt(() => this.#find.get(key));
    if (!found) return undefined;
    const count = found['row_count'];
    return {
      key,
      fingerprint: String(found['fingerprint']),
      answeredAt: Number(found['answered_at']),
      rowCount: count === null ? null : Number(count),
      columns: found['columns'] as string | null,
      rows: found['rows'] as Uint8Array | null,
    };
  }

  keep(generation: number, answers: Iterable<GivenAnswer>): void {
    this.#change(generation, () => {
      for (const { key, fingerprint, answeredAt, rowCount, columns, rows } of answers) {
        this.#keep.run(key, fingerprint, answeredAt, rowCount, columns, rows, generation);
      }
    });
  }

  /** Goes back to a generation, and knows nothing of later ones. */
  goBackTo(generation: number): void {
    this.#change(generation, () => {
      this.#database.prepare('DELETE FROM answers WHERE generation > ?').run(generation);
    });
  }

  forgetUntil(answeredAt: number): void {
    this.#attempt(() => this.#database.prepare('DELETE FROM answers WHERE answered_at <= ?').run(answeredAt));
  }

  close(): void {
    this.#database.close();
  }

  #change(generation: number, run: () => void): void {
    this.#attempt(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        run();
        this.#database.prepare('UPDATE last SET generation = ?').run(generation);
        this.#database.exec('COMMIT');
      } catch (thrown) {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw thrown;
      }
    });
  }

  #attempt<T>(run: () => T): T {
    try {
      return run();
    } catch (thrown) {
      throw this.#fault(thrown);
    }
  }

  /** The caller's statement is not at fault, whatever SQLite says of this file. */
  #fault(thrown: unknown): unknown {
    const fault = sqliteFault(thrown);
    if (fault instanceof ServiceError && fault.status >= 500) return fault;
    return new Error(`The answers of calls with keys, in ${this.#file}, cannot be used: ${messageOf(thrown)}.`);
  }
}
