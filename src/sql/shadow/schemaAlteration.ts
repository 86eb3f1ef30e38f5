import { keyOf } from '../text/names.ts';
import { schemaObjectOf } from './ddlStatement.ts';
import type { FatalStatements } from './fatalStatements.ts';
import { noSchemaChange, type SchemaChange } from './schemaChange.ts';
import { type SchemaObject, schemaTypeOf } from './schemaObject.ts';
import type { Dependencies, SchemaState } from './schemaState.ts';
import { ShadowDatabase } from './shadowDatabase.ts';
import type { SqliteConnection } from './sqliteConnection.ts';

interface SchemaRow {
  readonly database: 'main' | 'temp';
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

const schemaRowsQuery = `SELECT 'main', rowid, type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL
  UNION ALL SELECT 'temp', rowid, type, name, sql FROM sqlite_temp_schema WHERE sql IS NOT NULL`;

/** SQLite parses the whole schema to rewrite what refers to the table. So it gets only the {@link alterationDependencies}. */
export function alterationBy(
  sql: string,
  { objects }: Dependencies,
  connection: SqliteConnection,
  fatalStatements: FatalStatements,
): SchemaChange {
  connection.execute('SAVEPOINT alteration');
  const database = new ShadowDatabase(connection, fatalStatements, { keepsStubFunctions: true });
  database.load({ names: new Set(), objects });
  const before = readSchemaRows(connection);
  const { kind } = connection.execute(sql);
  const after = readSchemaRows(connection);
  connection.execute('ROLLBACK TO alteration');
  connection.execute('RELEASE alteration');
  return kind === 'ok' ? rewrittenObjects(objects, before, after) : noSchemaChange;
}

/** Everything that ALTER TABLE may rewrite, with its dependencies. */
export function alterationDependencies(state: SchemaState, table: string): Dependencies {
  return state.dependenciesOf([table, ...state.mentioning(table).map(({ name }) => name)]);
}

function readSchemaRows(connection: SqliteConnection): Map<string, SchemaRow> {
  const rows = new Map<string, SchemaRow>();
  for (const [database, rowid, type = '', name = '', sql = ''] of connection.rows(schemaRowsQuery)) {
    rows.set(`${database} ${rowid}`, { database: database === 'temp' ? 'temp' : 'main', type, name, sql });
  }
  return rows;
}

function rewrittenObjects(
  objects: readonly SchemaObject[],
  before: ReadonlyMap<string, SchemaRow>,
  after: ReadonlyMap<string, SchemaRow>,
): SchemaChange {
  const removed: SchemaObject[] = [];
  const added: SchemaObject[] = [];
  for (const [id, oldRow] of before) {
    const newRow = after.get(id);
    const isRewritten = newRow !== undefined && newRow.sql !== oldRow.sql;
    const oldObject = objects.find(object => isObjectOf(object, oldRow));
    const newObject = isRewritten ? schemaObjectOf(newRow.sql, oldRow.database) : undefined;
    if (!oldObject || !newObject) continue;
    removed.push(oldObject);
    added.push(newObject);
  }
  return { removed, added };
}

function isObjectOf({ kind, database, name }: SchemaObject, row: SchemaRow): boolean {
  return database === row.database && schemaTypeOf(kind) === row.type && name === keyOf(row.name);
}
