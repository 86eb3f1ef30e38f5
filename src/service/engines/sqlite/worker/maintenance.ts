import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../../../base/errors.ts';
import { serviceCodes, ServiceError } from '../../../../wire/serviceError.ts';
import { diskFault, onDisk } from '../../../diskFault.ts';
import { unmarked } from './commitMark.ts';
import { type Connection, rowsOf } from './connection.ts';
import { withDatabase } from './databaseFile.ts';

/** The whole database in one step: a step between two writes of others would begin anew, again and again. */
const oneStep = { rate: 2 ** 31 - 1 };
const sqliteHeader = 'SQLite format 3\0';
/** Where the header says how the file is to be read, and what it says there of one that is read with its log. */
const headerLength = 100;
const readVersion = 19;
const withLog = 2;

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
  // In the folder of somebody else, where any name that can be guessed may be taken.
  const part = `${target}.${randomBytes(6).toString('hex')}.part`;
  await copyDatabase(new DatabaseSync(file, { readOnly: true }), { part, to: target }, () => {});
}

/** Makes a copy of a file that may take the place of a project's database, and closes the log of that one. */
export async function prepareImport(source: string, { file, copy }: { file: string; copy: string }): Promise<void> {
  try {
    const part = `${copy}.part`;
    removeDatabase(part);
    const { database, requireUnchanged } = openForeign(source);
    await copyDatabase(database, { part, to: copy }, made => {
      requireUnchanged();
      made.exec('PRAGMA trusted_schema = OFF');
      const faults = made
        .prepare('PRAGMA integrity_check')
        .all()
        .map(row => String(row['integrity_check']));
      if (faults[0] !== 'ok') throw unsound(source, faults.join('; '));
    });
  } catch (thrown) {
    throw thrown instanceof ServiceError ? thrown : unsound(source, messageOf(thrown));
  }
  // A log that is left would be read as the new database's own.
  withDatabase(file, database => database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE'));
}

/** One plain file that no calls are remembered of, renamed into place when it is whole: nobody ever finds half of a copy. */
async function copyDatabase(
  database: DatabaseSync,
  { part, to }: { part: string; to: string },
  finish: (copy: DatabaseSync) => void,
): Promise<void> {
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
    removeDatabase(part);
  }
}

function removeDatabase(file: string): void {
  for (const left of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) rmSync(left, { force: true });
}

/** Opens the file of somebody else to read it, and gives what throws when it was changed meanwhile. */
function openForeign(source: string): { database: DatabaseSync; requireUnchanged: () => void } {
  const file = realpathSync(source);
  const header = readHeader(file);
  if (header.toString('latin1', 0, sqliteHeader.length) !== sqliteHeader) {
    throw new Error('it does not begin as one does');
  }
  if (header[readVersion] !== withLog || existsSync(`${file}-wal`)) {
    return { database: new DatabaseSync(file, { readOnly: true }), requireUnchanged: () => {} };
  }
  // Nobody has it open, and SQLite would make a log only to read it, and leave that there. It need not where nothing changes.
  const before = stateOf(file);
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const requireUnchanged = (): void => {
    if (stateOf(file) !== before) throw new Error('it was changed while it was read');
  };
  return { database: new DatabaseSync(url, { readOnly: true }), requireUnchanged };
}

function stateOf(file: string): string {
  const { mtimeNs, size } = statSync(file, { bigint: true });
  return `${size} ${mtimeNs}`;
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(headerLength);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, header);
    return header;
  } finally {
    closeSync(opened);
  }
}

const unsound = (file: string, why: string): ServiceError => {
  const message = `The file ${file} is no sound SQLite database: ${why}. The project stays as it was.`;
  return new ServiceError({ status: 400, code: serviceCodes.badRequest, message });
};
