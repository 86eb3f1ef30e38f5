import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../../base/errors.ts';
import { backupMark } from '../../../../sql/tables/userTables.ts';
import type { ProjectRecord } from '../../../../wire/answers.ts';
import { decodeProjectPair } from '../../../../wire/projectRequests.ts';
import { badRequest, requireDecoded } from '../../../faults.ts';
import { Connection } from './connection.ts';
import { withDatabase } from './databaseFile.ts';

const createMark = `CREATE TABLE ${backupMark} (project_id TEXT, holder_id TEXT, project_name TEXT, made_at TEXT) STRICT`;

/** Turns an exported database into a backup of the project. */
export function markBackup(database: DatabaseSync, { projectId, holderId, projectName }: ProjectRecord): void {
  if (findName(database)) throw nameTaken('project');
  // A foreign key to the mark could refuse its row.
  database.exec(`PRAGMA foreign_keys = OFF; ${createMark}`);
  database
    .prepare(`INSERT INTO ${backupMark} VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))`)
    .run(projectId, holderId, projectName);
}

/** Turns a backup into the project's database. */
export function unmarkBackup(file: string): ProjectRecord {
  try {
    return withDatabase(file, unlimited => new Connection(unlimited).trusted(unmark));
  } catch (thrown) {
    throw badRequest(`The file is not a backup of a project: ${messageOf(thrown)}. Use import for other SQLite files.`);
  }
}

function unmark(database: DatabaseSync): ProjectRecord {
  if (!findName(database)?.isMark) throw new Error('it has no mark');
  const sql = `SELECT project_id, holder_id, project_name FROM ${backupMark} NOT INDEXED LIMIT 1`;
  const mark = database.prepare(sql).get() ?? {};
  const projectId = String(mark['project_id']);
  // The id becomes the name of another file.
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(projectId)) throw new Error('it names no project');
  const pair = requireDecoded(decodeProjectPair(mark));
  dropBackupMark(database);
  return { projectId, ...pair };
}

/** Removes the mark from a database that comes from elsewhere. Refuses anything else with its name. */
export function dropBackupMark(database: DatabaseSync): void {
  const found = findName(database);
  if (found && !found.isMark) throw nameTaken('file');
  // A foreign key to the mark could delete other rows.
  if (found) database.exec(`PRAGMA foreign_keys = OFF; DROP TABLE ${backupMark}`);
}

const nameTaken = (where: string) =>
  badRequest(
    `The ${where} has a table or another object with the name ${backupMark}, which marks backups. Copy what you need of it, drop it, then try again.`,
  );

/** Compares only the CREATE statement. Reading another object of this name could take forever, such as a view. */
function findName(database: DatabaseSync): { isMark: boolean } | undefined {
  const sql = 'SELECT sql = ? AS is_mark FROM sqlite_schema WHERE name = ? COLLATE NOCASE';
  const row = database.prepare(sql).get(createMark, backupMark);
  return row && { isMark: row['is_mark'] === 1 };
}
