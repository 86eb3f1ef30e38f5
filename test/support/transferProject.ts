import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { monotonicClock } from '../../src/base/clock.ts';
import { Client, type Project } from '../../src/client/index.ts';
import { download } from '../../src/transfer/download.ts';
import { TransferProgress } from '../../src/transfer/progress.ts';
import type { TransferParts } from '../../src/transfer/projectRows.ts';
import { upload } from '../../src/transfer/upload.ts';
import { quoteIdentifier } from '../../src/sql/text/quoting.ts';
import type { TestService } from './testService.ts';
import { createProject } from './projectKeys.ts';

/** An empty project of a test's service, with its own key. */
export interface EmptyProject {
  readonly project: Project;
  readonly projectId: string;
  readonly apiKey: string;
  readonly baseUrl: string;
}

/** Makes an empty project. Its client ends with the test file. */
export async function emptyProject({ admin, baseUrl }: Pick<TestService, 'admin' | 'baseUrl'>): Promise<EmptyProject> {
  const pair = { holderId: 'local', projectName: randomUUID() };
  const { projectId, apiKey } = await createProject(admin, pair);
  const client = new Client({ baseUrl, apiKey });
  after(() => client.close());
  return { project: client.project(projectId), projectId, apiKey, baseUrl };
}

export function partsOf(project: Project, notes: string[] = []): TransferParts {
  return {
    project,
    clock: monotonicClock,
    signal: new AbortController().signal,
    progress: new TransferProgress(line => void notes.push(line), monotonicClock),
  };
}

export const downloadTo = async ({ project, projectId }: EmptyProject, file: string): Promise<void> =>
  download({ ...partsOf(project), file, source: projectId });

export const uploadFrom = async ({ project }: EmptyProject, file: string): Promise<void> =>
  upload({ ...partsOf(project), file });

/** Makes a database file from statements. */
export function makeFile(file: string, statements: readonly string[]): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  database.exec('BEGIN');
  for (const sql of statements) database.exec(sql);
  database.exec('COMMIT');
  database.close();
}

/** Everything in a file: the schema, and each row with its row id, storage classes and bytes. */
export function contentOf(file: string): Record<string, unknown> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const content: Record<string, unknown> = {};
    const objects = database
      .prepare(`SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name`)
      .all();
    content['schema'] = objects.map(row => Object.values(row).join(' | '));
    if (database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'`).get()) {
      content['sequences'] = database
        .prepare('SELECT name, seq FROM sqlite_sequence ORDER BY name')
        .all()
        .map(row => Object.values(row).join(' | '));
    }
    const tables = database
      .prepare(`SELECT name, wr, type FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')`)
      .all();
    for (const { name, wr } of tables) {
      if (String(name).startsWith('sqlite_')) continue;
      content[String(name)] = rowsOf(database, String(name), wr === 1);
    }
    return content;
  } finally {
    database.close();
  }
}

function rowsOf(database: DatabaseSync, table: string, isWithoutRowId: boolean): unknown[] {
  const columns = database
    .prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1')
    .all(table)
    .map(({ name }) => String(name));
  const rowId = ['rowid', '_rowid_', 'oid'].find(name => !columns.some(column => column.toLowerCase() === name));
  const names = isWithoutRowId || rowId === undefined ? columns : [rowId, ...columns];
  const values = names.map((name, place) => {
    const column = quoteIdentifier(name);
    const sign = `CASE WHEN typeof(${column}) = 'real' AND atan2(${column}, -1) < 0 THEN '-' ELSE '' END`;
    const value = `CASE typeof(${column}) WHEN 'real' THEN quote(${column}) WHEN 'integer' THEN CAST(${column} AS TEXT) ELSE hex(CAST(${column} AS BLOB)) END`;
    return `typeof(${column}) || ' ' || ${sign} || ${value} AS c${place}`;
  });
  const rows = database.prepare(`SELECT ${values.join(', ')} FROM ${quoteIdentifier(table)}`).all();
  return rows.map(row => Object.values(row).join(' | ')).toSorted();
}
