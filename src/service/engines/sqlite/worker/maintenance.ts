import { closeSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../../base/errors.ts';
import { serviceCodes, ServiceError } from '../../../../wire/serviceError.ts';
import { diskFault, onDisk } from '../../../diskFault.ts';
import { unmarked } from './commitMark.ts';
import { type Connection, rowsOf } from './connection.ts';
import { withDatabase } from './databaseFile.ts';
import { dropFormerRecords } from './formerRecords.ts';

/** The whole database in one step: a step between two writes of others would begin anew, again and again. */
const oneStep = { rate: 2 ** 31 - 1 };
const sqliteHeader = 'SQLite format 3\0';

export function vacuum(file: string): void {
  onDisk(() => withDatabase(file, database => database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')));
}

export function integrityFaults(connection: Connection): string[] {
  return [...rowsOf(connection.prepare('PRAGMA integrity_check').statement, [])]
    .map(([found]) => String(found))
    .filter(found => found !== 'ok');
}

/** Writes a copy of the database as it is now. Other statements go on meanwhile. */
export async function exportTo(file: string, target: string): Promise<void> {
  await copyDatabase(file, target, () => {});
}

/** Makes a copy of a file that may take the place of a project's database, and closes the log of that one. */
export async function prepareImport(source: string, { file, copy }: { file: string; copy: string }): Promise<void> {
  requireHeader(source);
  await copyDatabase(source, copy, database => {
    database.exec('PRAGMA trusted_schema = OFF');
    const faults = database
      .prepare('PRAGMA integrity_check')
      .all()
      .map(row => String(row['integrity_check']));
    if (faults[0] !== 'ok') throw unsound(source, faults.join('; '));
    database.exec(dropFormerRecords);
  }).catch((thrown: unknown) => {
    throw thrown instanceof ServiceError ? thrown : unsound(source, messageOf(thrown));
  });
  // A log that is left would be read as the new database's own.
  withDatabase(file, database => database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE'));
}

/** One plain file that no calls are remembered of, renamed into place when it is whole: nobody ever finds half of a copy. */
async function copyDatabase(from: string, to: string, finish: (database: DatabaseSync) => void): Promise<void> {
  const part = `${to}.part`;
  rmSync(part, { force: true });
  const database = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(database, part, oneStep);
    withDatabase(part, copy => {
      finish(copy);
      copy.exec(`${unmarked}; PRAGMA journal_mode = DELETE`);
    });
    renameSync(part, to);
  } catch (thrown) {
    throw diskFault(thrown) ?? thrown;
  } finally {
    database.close();
    for (const left of [part, `${part}-wal`, `${part}-shm`, `${part}-journal`]) rmSync(left, { force: true });
  }
}

function requireHeader(file: string): void {
  const header = Buffer.alloc(sqliteHeader.length);
  try {
    const opened = openSync(file, 'r');
    try {
      readSync(opened, header);
    } finally {
      closeSync(opened);
    }
  } catch (thrown) {
    throw unsound(file, messageOf(thrown));
  }
  if (header.toString('latin1') !== sqliteHeader) throw unsound(file, 'it does not begin as one does');
}

const unsound = (file: string, why: string): ServiceError => {
  const message = `The file ${file} is no sound SQLite database: ${why}. The project stays as it was.`;
  return new ServiceError({ status: 400, code: serviceCodes.badRequest, message });
};
