import { DatabaseSync } from 'node:sqlite';
import type { ProjectSettings } from '../messages.ts';
import { ownCache } from './commitMark.ts';
import { Connection } from './connection.ts';
import { sqliteFault } from './sqliteFault.ts';

/** How long a connection waits for another one's lock, in milliseconds. The other is no call of ours, and all calls wait with it. */
export const lockPatience = 2000;
/** What the log of a busy time may leave behind on the disk. */
const logLimit = 64 * 1024 * 1024;

/** The one connection that writes. It makes the file when there is none, so it is opened before any reader. */
export function openWriter({ file, synchronous }: ProjectSettings): Connection {
  const database = new DatabaseSync(file, { timeout: lockPatience });
  try {
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA journal_size_limit = ${logLimit}`,
    );
    database.exec(`PRAGMA trusted_schema = OFF; ${ownCache}`);
    return new Connection(database);
  } catch (thrown) {
    database.close();
    // A disk without room and a lock of somebody else's are met here as well.
    throw sqliteFault(thrown);
  }
}

export function openReader({ file }: ProjectSettings): Connection {
  const database = new DatabaseSync(file, { readOnly: true, timeout: lockPatience });
  database.exec(ownCache);
  return new Connection(database);
}

/** The service's own connection, without a guard, for what no tenant may do. */
export function withDatabase<T>(file: string, run: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file, { timeout: lockPatience });
  try {
    return run(database);
  } finally {
    database.close();
  }
}
