import { rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import type { ProjectSettings } from '../projectBridge.ts';
import { normalCacheSize } from './commitMark.ts';
import { Connection } from './connection.ts';
import { sqliteFault } from './sqliteFault.ts';

/** How long a connection waits for the lock of another program. All calls of the project wait with it. */
export const lockWaitMs = 2000;
/** SQLite then refuses writes of the connection, even to its temporary database. */
const queryOnly = 'PRAGMA query_only = ON';
/** The log shrinks to this size after a busy time. */
const maxLogBytes = 64 * 1024 * 1024;
/** A commit copies the log into the database when it has this many pages, 16 MB. Copying less each time would wait more for the disk. */
const copiedPages = 4096;

/** Opens the only connection that writes. It makes a missing file, so it is opened before any reader. */
export function openWriterConnection({ file, synchronous }: ProjectSettings): Connection {
  const database = new DatabaseSync(file, { timeout: lockWaitMs });
  try {
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA trusted_schema = OFF;
      PRAGMA journal_size_limit = ${maxLogBytes}; PRAGMA wal_autocheckpoint = ${copiedPages}; ${normalCacheSize}`);
    return new Connection(database);
  } catch (thrown) {
    database.close();
    // The disk may be full, or another program may have locked the file.
    throw sqliteFault(thrown);
  }
}

export function openReaderConnection({ file }: ProjectSettings): Connection {
  const database = new DatabaseSync(file, { readOnly: true, timeout: lockWaitMs });
  database.exec(`${normalCacheSize}; ${queryOnly}`);
  return new Connection(database);
}

/** Removes a database with its log. SQLite would take an old log for the log of the next database of this name. */
export async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(file + suffix, { force: true });
}

/** The connection has no guard. No statement of a tenant may run there. */
export function withDatabase<T>(file: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file, { timeout: lockWaitMs });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
