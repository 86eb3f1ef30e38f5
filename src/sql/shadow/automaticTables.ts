import type { DatabaseName, SchemaObject } from './schemaObject.ts';

/*
 * SQLite creates these tables itself, and CREATE TABLE refuses their names. So `sql` creates another table for which SQLite
 * creates the wanted one, and drops that other table again.
 */

function automaticTable(database: DatabaseName, name: string, sql: string): SchemaObject {
  return { kind: 'table', database, name, owner: undefined, sql };
}

const sequenceTable = (database: DatabaseName, create: string): SchemaObject =>
  automaticTable(
    database,
    'sqlite_sequence',
    `${create} "sqlite sequence" (id INTEGER PRIMARY KEY AUTOINCREMENT); DROP TABLE ${database}."sqlite sequence"`,
  );

const statisticsTable = (database: DatabaseName, create: string): SchemaObject =>
  automaticTable(
    database,
    'sqlite_stat1',
    `${create} "sqlite stat" (a); ANALYZE ${database}."sqlite stat"; DROP TABLE ${database}."sqlite stat"`,
  );

/** The table that comes with the first AUTOINCREMENT of a database. */
export const sequenceTables: Readonly<Record<DatabaseName, SchemaObject>> = {
  main: sequenceTable('main', 'CREATE TABLE'),
  temp: sequenceTable('temp', 'CREATE TEMP TABLE'),
};

/** The table that comes with the first ANALYZE of a database. */
export const statisticsTables: Readonly<Record<DatabaseName, SchemaObject>> = {
  main: statisticsTable('main', 'CREATE TABLE'),
  temp: statisticsTable('temp', 'CREATE TEMP TABLE'),
};

export const hasAutoincrement = ({ kind, sql }: SchemaObject): boolean =>
  kind === 'table' && /\bautoincrement\b/i.test(sql);
