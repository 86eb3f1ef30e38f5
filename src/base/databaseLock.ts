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
 * Locks an empty database for this process, and closes it with the lock. The lock is SQLite's own: the system releases it when
 * the process ends, however it ends. Gives undefined when another connection has it.
 */
export function lockDatabase(database: LockableDatabase): Disposable | undefined {
  try {
    // A full disk has no room for the journal of a change, and this one is never committed.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (thrown) {
    database.close();
    if (asRecord(thrown)?.['errcode'] === busy) return undefined;
    throw thrown;
  }
  return { dispose: () => database.close() };
}
