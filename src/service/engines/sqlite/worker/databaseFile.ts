import { DatabaseSync } from 'node:sqlite';
import type { ProjectSettings } from '../messages.ts';
import { Connection, sqliteFault } from './connection.ts';
import { reservedTable } from './guard.ts';

/** How long a connection waits for another one's lock, in milliseconds. The other is no call of ours, and all calls wait with it. */
const lockPatience = 2000;
/** What the log of a busy time may leave behind on the disk. */
const logLimit = 64 * 1024 * 1024;

/** The one connection that writes. It makes the file when there is none, so it is opened before any reader. */
export function openWriter({ file, synchronous }: ProjectSettings): Connection {
  const database = new DatabaseSync(file, { timeout: lockPatience });
  try {
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA journal_size_limit = ${logLimit}`,
    );
    database.exec('PRAGMA trusted_schema = OFF');
    reserveTable(database);
    return new Connection(database);
  } catch (thrown) {
    database.close();
    // A disk without room and a lock of somebody else's are met here as well.
    throw sqliteFault(thrown);
  }
}

export function openReader({ file }: ProjectSettings): Connection {
  return new Connection(new DatabaseSync(file, { readOnly: true, timeout: lockPatience }));
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

/** Takes the service's own table out of a copy that leaves the service, or comes to it, and makes one plain file of it. */
export function stripCopy(database: DatabaseSync): void {
  database.exec(`PRAGMA secure_delete = ON; DROP TABLE IF EXISTS ${reservedTable}; PRAGMA journal_mode = DELETE`);
}

function reserveTable(database: DatabaseSync): void {
  if (database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(reservedTable)) return;
  // Names that begin with sqlite_ can be made by those only who may write the schema itself.
  database.enableDefensive(false);
  database.exec(`
    PRAGMA writable_schema = ON;
    CREATE TABLE ${reservedTable} (
      key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, answered_at INTEGER NOT NULL,
      row_count INTEGER, columns TEXT, rows BLOB
    ) STRICT, WITHOUT ROWID;
    PRAGMA writable_schema = OFF`);
}
