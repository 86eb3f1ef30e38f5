import type { Breakers } from './breakers.ts';
import { keyOf } from '../text/names.ts';
import { type Definition, definitionOf } from './definition.ts';
import { type DefinitionChange, noChange } from './definitionChange.ts';
import type { SchemaState, Surroundings } from './schemaState.ts';
import { ShadowDatabase } from './shadowDatabase.ts';
import type { SqliteConnection } from './sqliteConnection.ts';

interface Row {
  readonly database: 'main' | 'temp';
  readonly kind: string;
  readonly name: string;
  readonly sql: string;
}

const everyRow = `SELECT 'main', rowid, type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL
  UNION ALL SELECT 'temp', rowid, type, name, sql FROM sqlite_temp_schema WHERE sql IS NOT NULL`;

/**
 * What SQLite makes of a schema with ALTER TABLE: it writes all definitions anew that speak of the table. It reads each
 * definition that there is to find them, so it is given a database with none but those that mention the table's name.
 */
export function alterationOf(
  sql: string,
  { definitions }: Surroundings,
  connection: SqliteConnection,
  breakers: Breakers,
): DefinitionChange {
  connection.execute('SAVEPOINT alteration');
  new ShadowDatabase(connection, breakers, 'keepFunctions').arrange({ names: new Set(), definitions });
  const before = rowsOf(connection);
  const { kind } = connection.execute(sql);
  const after = rowsOf(connection);
  connection.execute('ROLLBACK TO alteration');
  connection.execute('RELEASE alteration');
  return kind === 'ok' ? difference(definitions, before, after) : noChange;
}

/** Everything that ALTER TABLE could write anew, with what that mentions. */
export function alterable(state: SchemaState, table: string): Surroundings {
  return state.around([table, ...state.mentioning(table).map(({ name }) => name)]);
}

function rowsOf(connection: SqliteConnection): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const [database, rowid, kind = '', name = '', sql = ''] of connection.rows(everyRow)) {
    rows.set(`${database} ${rowid}`, { database: database === 'temp' ? 'temp' : 'main', kind, name, sql });
  }
  return rows;
}

function difference(
  definitions: readonly Definition[],
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
): DefinitionChange {
  const removed: Definition[] = [];
  const added: Definition[] = [];
  for (const [id, { database, kind, name, sql }] of before) {
    const now = after.get(id);
    const old = definitions.find(one => one.database === database && isKind(one, kind) && one.name === keyOf(name));
    const definition = now && now.sql !== sql ? definitionOf(now.sql, database) : undefined;
    if (!old || !definition) continue;
    removed.push(old);
    added.push(definition);
  }
  return { removed, added };
}

function isKind(definition: Definition, kind: string): boolean {
  return (definition.kind === 'virtual' ? 'table' : definition.kind) === kind;
}
