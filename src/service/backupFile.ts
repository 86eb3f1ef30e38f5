import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../base/errors.ts';
import type { UnknownRecord } from '../base/decode.ts';
import type { ProjectRecord } from '../wire/answers.ts';
import { decodeProjectPair } from '../wire/projectRequests.ts';
import { badRequest, decoded } from './requestBody.ts';

/** The one table that makes a backup of an exported database: it says whose it is. */
const table = '__sql_project_backup__';

/** Notes in an exported database which project it is. */
export function markBackup(file: string, { projectId, holderId, projectName }: ProjectRecord): void {
  withDatabase(file, database => {
    // In one file, with no log beside it.
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec(`CREATE TABLE ${table} (project_id TEXT, holder_id TEXT, project_name TEXT, made_at TEXT) STRICT`);
    database
      .prepare(`INSERT INTO ${table} VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))`)
      .run(projectId, holderId, projectName);
  });
}

/** Takes the note out of a backup, which is then the project's database, and gives it. */
export function unmarkBackup(file: string): ProjectRecord {
  return withDatabase(file, database => {
    try {
      const found = database.prepare(`SELECT project_id, holder_id, project_name FROM ${table}`).get();
      database.exec(`DROP TABLE ${table}`);
      return toProject(found ?? {});
    } catch (thrown) {
      throw badRequest(`The file is no backup of a project: ${messageOf(thrown)}. Use import for other SQLite files.`);
    }
  });
}

/** Anybody may have written the file, and the id becomes the name of another. */
function toProject(note: UnknownRecord): ProjectRecord {
  const pair = decoded(decodeProjectPair(note));
  const projectId = String(note['project_id']);
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(projectId)) throw new Error('it names no project');
  return { projectId, ...pair };
}

function withDatabase<T>(file: string, run: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return run(database);
  } finally {
    database.close();
  }
}
