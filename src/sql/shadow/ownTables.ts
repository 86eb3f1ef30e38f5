import type { DatabaseName, Definition } from './definition.ts';
import { firstWords } from './schemaChange.ts';

/** Tables that nobody makes by name: those that SQLite makes for itself, and those that a module makes for a virtual table. */

/** What each module adds to the name of a virtual table for the tables that it keeps it in. */
const additions: Readonly<Record<string, readonly string[]>> = {
  FTS5: ['data', 'idx', 'content', 'docsize', 'config'],
  FTS4: ['content', 'segments', 'segdir', 'docsize', 'stat'],
  FTS3: ['content', 'segments', 'segdir', 'docsize', 'stat'],
  RTREE: ['node', 'parent', 'rowid'],
  RTREE_I32: ['node', 'parent', 'rowid'],
  GEOPOLY: ['node', 'parent', 'rowid'],
};

/** The modules of the engine, by those that they stand for. */
const ofEngine: Readonly<Record<string, string>> = {
  FTS5: 'FTS5',
  FTS4: 'FTS5',
  FTS3: 'FTS5',
  RTREE: 'RTREE',
  RTREE_I32: 'RTREE_I32',
};

/** Enough for the words up to and with the module. */
const firstCount = 11;

/** The names of the tables that come and go with a virtual table. */
export function tablesOf({ kind, name, sql }: Definition): string[] {
  if (kind !== 'virtual') return [];
  return (additions[moduleOf(sql)] ?? [])
    .filter(addition => !isLeftOut(addition, sql))
    .map(addition => `${name}_${addition}`);
}

/** Those of them that are there in the engine as well when it has made the virtual table. */
export function tablesInEngine(definition: Definition): string[] {
  const made = additions[ofEngine[moduleOf(definition.sql)] ?? ''] ?? [];
  return tablesOf(definition).filter(table => made.includes(table.slice(definition.name.length + 1)));
}

/** The virtual table that a table with this name would belong to, if there is one. */
export function makerOf(table: string): string | undefined {
  return /^(.+)_(?:data|idx|content|docsize|config|segments|segdir|stat|node|parent|rowid)$/s.exec(table)?.[1];
}

function moduleOf(sql: string): string {
  const words = firstWords(sql, firstCount);
  return words[words.findIndex(({ key }) => key === 'USING') + 1]?.key ?? '';
}

/** Full text can be kept elsewhere or not at all, and without the sizes of its columns. */
function isLeftOut(addition: string, sql: string): boolean {
  if (addition === 'content') return /\bcontent\s*=/i.test(sql);
  return addition === 'docsize' && /\bcolumnsize\s*=\s*['"]?0/i.test(sql);
}

/** Nobody may make them, but what makes them can be written down. */
function ownTable(database: DatabaseName, name: string, sql: string): Definition {
  return { kind: 'table', database, name, owner: undefined, sql };
}

const sequenceIn = (database: DatabaseName, create: string): Definition =>
  ownTable(
    database,
    'sqlite_sequence',
    `${create} "sqlite sequence" (id INTEGER PRIMARY KEY AUTOINCREMENT); DROP TABLE ${database}."sqlite sequence"`,
  );

const statisticsIn = (database: DatabaseName, create: string): Definition =>
  ownTable(
    database,
    'sqlite_stat1',
    `${create} "sqlite stat" (a); ANALYZE ${database}."sqlite stat"; DROP TABLE ${database}."sqlite stat"`,
  );

/** The table that SQLite makes with the first AUTOINCREMENT. */
export const sequences: Readonly<Record<DatabaseName, Definition>> = {
  main: sequenceIn('main', 'CREATE TABLE'),
  temp: sequenceIn('temp', 'CREATE TEMP TABLE'),
};

/** The table that SQLite makes with the first ANALYZE. */
export const statistics: Readonly<Record<DatabaseName, Definition>> = {
  main: statisticsIn('main', 'CREATE TABLE'),
  temp: statisticsIn('temp', 'CREATE TEMP TABLE'),
};

export const countsUp = ({ kind, sql }: Definition): boolean => kind === 'table' && /\bautoincrement\b/i.test(sql);
