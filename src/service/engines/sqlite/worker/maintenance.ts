import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../../../base/errors.ts';
import { confine } from '../../../../sql/running/confine.ts';
import type { ProjectRecord } from '../../../../wire/answers.ts';
import { ServiceError } from '../../../../wire/serviceError.ts';
import { badRequest, diskFault, onDisk } from '../../../faults.ts';
import { sqliteLimits } from '../sqliteLimits.ts';
import { dropBackupMark, markBackup } from './backupMark.ts';
import { removeMark } from './commitMark.ts';
import type { Connection } from './connection.ts';
import { removeDatabase, withDatabase } from './databaseFile.ts';

/** Copies the database in one step. After a write between two steps, SQLite would begin again. */
const oneStep = { rate: 2 ** 31 - 1 };
/** The parts of SQLite's file header that are read here. */
const header = {
  length: 100,
  magic: 'SQLite format 3\0',
  /** The offset of the byte that says how to read the file, and its value for a file with a log. */
  readVersion: 19,
  withLog: 2,
} as const;

export function vacuumFile(file: string): void {
  onDisk(() => withDatabase(file, database => database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')));
}

export function integrityFaults(database: DatabaseSync): string[] {
  const faults = database.prepare('PRAGMA integrity_check').all();
  return faults.map(row => String(row['integrity_check'])).filter(fault => fault !== 'ok');
}

/** Writes a copy of the database as it is now into a new file. Other statements continue during the copy. */
export async function exportTo({ database }: Connection, file: string, mark?: ProjectRecord): Promise<void> {
  await copyDatabase(database, file, copy => mark && markBackup(copy, mark));
}

/** Makes `copy`, which can replace the project's database `file`, from `source`. Ends the log of `file`. */
export async function prepareImport(source: string, { file, copy }: { file: string; copy: string }): Promise<void> {
  try {
    // A service that was killed left an unfinished copy.
    await removeDatabase(copy);
    const { database, requireUnchanged } = openForeign(source);
    try {
      await copyDatabase(database, copy, copied => {
        requireUnchanged();
        confine(copied, { valueBytes: sqliteLimits.valueBytes });
        const faults = integrityFaults(copied);
        if (faults.length > 0) throw unsoundFile(source, faults.join('; '));
        dropBackupMark(copied);
      });
    } finally {
      database.close();
    }
  } catch (thrown) {
    throw thrown instanceof ServiceError ? thrown : unsoundFile(source, messageOf(thrown));
  }
  // SQLite would take the old log for that of the new database.
  withDatabase(file, database => database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE'));
}

/** Makes one plain file without a commit mark. The caller renames it into place, so that no reader finds half of a copy. */
async function copyDatabase(database: DatabaseSync, file: string, finish: (copy: DatabaseSync) => void): Promise<void> {
  try {
    await backup(database, file, oneStep);
    withDatabase(file, copy => {
      finish(copy);
      copy.exec(`${removeMark}; PRAGMA journal_mode = DELETE`);
    });
  } catch (thrown) {
    await removeDatabase(file).catch(() => undefined);
    throw diskFault(thrown) ?? thrown;
  }
}

/** Opens a file that other programs may use. `requireUnchanged` throws if one of them has changed the file since. */
function openForeign(source: string): { database: DatabaseSync; requireUnchanged: () => void } {
  const file = realpathSync(source);
  const bytes = readHeader(file);
  if (bytes.toString('latin1', 0, header.magic.length) !== header.magic) {
    throw new Error('it does not begin like one');
  }
  if (bytes[header.readVersion] !== header.withLog || existsSync(`${file}-wal`)) {
    return { database: new DatabaseSync(file, { readOnly: true }), requireUnchanged: () => {} };
  }
  // No program has the file open. Unless it is immutable, SQLite would make a log to read it, and leave that log behind.
  const before = stateOf(file);
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const requireUnchanged = (): void => {
    if (stateOf(file) !== before) throw new Error('another program changed it meanwhile');
  };
  return { database: new DatabaseSync(url, { readOnly: true }), requireUnchanged };
}

function stateOf(file: string): string {
  const { mtimeNs, size } = statSync(file, { bigint: true });
  return `${size} ${mtimeNs}`;
}

function readHeader(file: string): Buffer {
  const bytes = Buffer.alloc(header.length);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, bytes);
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

const unsoundFile = (file: string, reason: string): ServiceError =>
  badRequest(
    `The file ${file} is not a sound SQLite database: ${reason}. The project is unchanged. Choose another file.`,
  );
