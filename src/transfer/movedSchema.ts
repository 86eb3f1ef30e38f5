import { misuse } from '../base/errors.ts';
import type { Project } from '../client/index.ts';
import { readSequences, type Sequence, textIn } from '../model/catalog/catalogQueries.ts';
import { entryColumns, type SchemaEntry, schemaEntryIn } from '../model/catalog/schemaEntries.ts';
import { isOfUser } from '../sql/tables/userTables.ts';
import { keyOf } from '../sql/text/names.ts';
import { type MovedTable, readMovedTable } from './movedTable.ts';

/** A project or a file that answers queries. */
export interface Queried {
  query<T>(...query: Required<Parameters<typeof Project.prototype.query<T>>>): Promise<T[]>;
}

/** Everything that is moved, except the rows. */
export interface MovedSchema {
  readonly tables: readonly MovedTable[];
  readonly indexes: readonly SchemaEntry[];
  readonly views: readonly SchemaEntry[];
  readonly triggers: readonly SchemaEntry[];
  /** The last AUTOINCREMENT key of each table that has one. */
  readonly sequences: readonly Sequence[];
}

/** A transfer has tables of its own, whose names begin with this prefix. */
export const ownPrefix = 'sql_project_explorer_';

export async function readMovedSchema(source: Queried): Promise<MovedSchema> {
  const shadows = new Set(await shadowTables(source));
  const objects = (await objectsOf(source)).filter(({ name }) => !shadows.has(keyOf(name)));
  const tables: MovedTable[] = [];
  for (const object of objects.filter(({ kind }) => kind === 'table'))
    tables.push(await readMovedTable(source, object));
  return {
    tables,
    indexes: objects.filter(({ kind, table }) => kind === 'index' && !shadows.has(keyOf(table))),
    views: objects.filter(({ kind }) => kind === 'view'),
    triggers: objects.filter(({ kind }) => kind === 'trigger'),
    sequences: await readSequences(source),
  };
}

/** Throws with the names of all tables that cannot be moved. */
export function requireMovable({ tables }: MovedSchema): void {
  const refusals = tables.flatMap(({ name, refusal }) => (refusal === undefined ? [] : [`${name}: ${refusal}`]));
  if (refusals.length > 0) throw cannotMove(refusals);
}

export const cannotMove = (reasons: readonly string[]) =>
  misuse(
    'cannot_move',
    `These cannot be moved, so nothing was written:\n${reasons.map(text => `  ${text}`).join('\n')}`,
  );

/** The objects that are created after the rows. A trigger of a view comes after the view. */
export const objectsAfterRows = ({ indexes, views, triggers }: MovedSchema): SchemaEntry[] => {
  const ofViews = new Set(views.map(({ name }) => keyOf(name)));
  return [
    ...indexes,
    ...triggers.filter(({ table }) => !ofViews.has(keyOf(table))),
    ...views,
    ...triggers.filter(({ table }) => ofViews.has(keyOf(table))),
  ];
};

/** Two schemas are equal if these texts are. */
export const schemaText = ({ tables, indexes, views, triggers, sequences }: MovedSchema): string =>
  JSON.stringify([
    ...[...tables, ...indexes, ...views, ...triggers].map(({ name, sql }) => `${name} ${sql}`).toSorted(),
    ...sequences.map(({ table, number }) => `${table} ${number}`).toSorted(),
  ]);

/** All objects of users, with the tables in which virtual tables keep their rows. */
export async function objectsOf(source: Queried): Promise<SchemaEntry[]> {
  const sql = `SELECT ${entryColumns} FROM sqlite_schema WHERE sql IS NOT NULL AND ${isOfUser('name')} ORDER BY type, name`;
  return source.query(sql, [], { isReadOnly: true, decode: schemaEntryIn });
}

const shadowTables = async (source: Queried): Promise<string[]> =>
  source.query(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'`, [], {
    isReadOnly: true,
    decode: row => keyOf(textIn(row, 'name')),
  });
