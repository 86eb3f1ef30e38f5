import type { DatabaseName, SchemaObject } from './schemaObject.ts';

/*
 * SQLite creates these tables itself, and CREATE TABLE refuses their names. So `sql` creates another table for which SQLite
 * creates the wanted one, and drops that other table again.
 */

function automaticTables(
  name: string,
  sqlIn: (database: DatabaseName) => string,
): Readonly<Record<DatabaseName, SchemaObject>> {
  const tableIn = (database: DatabaseName): SchemaObject => {
    return { kind: 'table', database, name, owner: undefined, sql: sqlIn(database) };
  };
  return { main: tableIn('main'), temp: tableIn('temp') };
}

/** The table that comes with the first AUTOINCREMENT of a database. */
export const sequenceTables = automaticTables('sqlite_sequence', database => {
  const other = `${database}."sqlite sequence"`;
  return `CREATE TABLE ${other} (id INTEGER PRIMARY KEY AUTOINCREMENT); DROP TABLE ${other}`;
});

/** The table that comes with the first ANALYZE of a database. */
export const statisticsTables = automaticTables('sqlite_stat1', database => {
  const other = `${database}."sqlite stat"`;
  return `CREATE TABLE ${other} (a); ANALYZE ${other}; DROP TABLE ${other}`;
});

export const hasAutoincrement = ({ kind, sql }: SchemaObject): boolean =>
  kind === 'table' && /\bautoincrement\b/i.test(sql);
