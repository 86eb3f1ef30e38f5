import { DatabaseSync } from 'node:sqlite';
import type { UnknownRecord } from '../../base/decode.ts';
import { messageOf } from '../../base/errors.ts';
import type { ProjectRecord } from '../../wire/answers.ts';
import { decodeProjectPair } from '../../wire/projectRequests.ts';
import { badRequest, decoded } from '../faults.ts';

/** The table that makes a backup of an exported database. It identifies the project. */
const table = '__sql_project_backup__';

/** Turns an exported database into a backup of the project. */
export function markBackup(file: string, { projectId, holderId, projectName }: ProjectRecord): void {
  withDatabase(file, database => {
    // A backup is one file, without a log beside it.
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec(`CREATE TABLE ${table} (project_id TEXT, holder_id TEXT, project_name TEXT, made_at TEXT) STRICT`);
    database
      .prepare(`INSERT INTO ${table} VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))`)
      .run(projectId, holderId, projectName);
  });
}

/** Turns a backup into the project's database, and gives the project. */
export function unmarkBackup(file: string): ProjectRecord {
  return withDatabase(file, database => {
    try {
      const mark = database.prepare(`SELECT project_id, holder_id, project_name FROM ${table}`).get();
      database.exec(`DROP TABLE ${table}`);
      return toProject(mark ?? {});
    } catch (thrown) {
      throw badRequest(
        `The file is not a backup of a project: ${messageOf(thrown)}. Use import for other SQLite files.`,
      );
    }
  });
}

/** The file may come from anyone, and the id becomes the name of another file. */
function toProject(mark: UnknownRecord): ProjectRecord {
  const pair = decoded(decodeProjectPair(mark));
  const projectId = String(mark['project_id']);
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(projectId)) throw new Error('it names no project');
  return { projectId, ...pair };
}

function withDatabase<T>(file: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}
