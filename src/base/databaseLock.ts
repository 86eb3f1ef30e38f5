import { asRecord } from './decode.ts';
import type { Disposable } from './disposable.ts';

/** SQLite's result code for a lock that another connection has. */
const busy = 5;

/** The part of a `DatabaseSync` that a lock needs. */
interface LockableDatabase {
  exec(sql: string): void;
  close(): void;
}

/**
 * Locks an empty database for this process. Disposing the lock closes the database. The lock is SQLite's own: the system releases
 * it when the process ends, however it ends. Returns undefined if another connection has the lock.
 */
export function lockDatabase(database: LockableDatabase): Disposable | undefined {
  try {
    // Keep the journal in memory: a full disk has no room for it, and this transaction is never committed.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (thrown) {
    database.close();
    if (asRecord(thrown)?.['errcode'] === busy) return undefined;
    throw thrown;
  }
  return { dispose: () => database.close() };
}
