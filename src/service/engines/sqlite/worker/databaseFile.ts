import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { ProjectSettings } from '../projectBridge.ts';
import { normalCacheSize } from './commitMark.ts';
import { Connection } from './connection.ts';
import { sqliteFault } from './sqliteFault.ts';

/** How long a connection waits for the lock of another program. All calls of the project wait with it. */
export const lockWaitMs = 2000;
/** SQLite refuses writes of the connection, also to its temporary database. */
const queryOnly = 'PRAGMA query_only = ON';
/** How much disk the log of a busy time may keep. */
const maxLogBytes = 64 * 1024 * 1024;

/** Opens the only connection that writes. It makes a missing file, so it is opened before any reader. */
export function openWriter({ file, synchronous }: ProjectSettings): Connection {
  const database = new DatabaseSync(file, { timeout: lockWaitMs });
  try {
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA journal_size_limit = ${maxLogBytes}`,
    );
    database.exec(`PRAGMA trusted_schema = OFF; ${normalCacheSize}`);
    return new Connection(database);
  } catch (thrown) {
    database.close();
    // The disk may be full, or another program may have locked the file.
    throw sqliteFault(thrown);
  }
}

export function openReader({ file }: ProjectSettings): Connection {
  const database = new DatabaseSync(file, { readOnly: true, timeout: lockWaitMs });
  database.exec(`${normalCacheSize}; ${queryOnly}`);
  return new Connection(database);
}

/** Whether the file holds all commits: no log or journal beside it has any. */
export function isComplete(file: string): boolean {
  return ['-wal', '-journal'].every(suffix => !statSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size);
}

/**
 * Opens a complete file as it is, without a log or locks. SQLite needs no disk space for that. Nobody may change the file
 * before the connection is closed.
 */
export function openFrozenReader({ file }: ProjectSettings): Connection {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true });
  database.exec(queryOnly);
  return new Connection(database);
}

/** Removes a database with its log. SQLite would take that for the log of the next database in its place. */
export async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(file + suffix, { force: true });
}

/** Runs work on a connection without a guard. No statement of a tenant may run on it. */
export function withDatabase<T>(file: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file, { timeout: lockWaitMs });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
