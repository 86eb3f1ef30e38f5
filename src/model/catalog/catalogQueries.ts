import type { BoundSql } from '../boundSql.ts';
import { refuseAnswer } from '../../base/errors.ts';
import { arrayOf, asCount, asString, parseJson } from '../../base/decode.ts';
import type { Project, SqlCallOptions } from '../../client/index.ts';
import type { ObjectKind } from '../../sql/effect/namedChange.ts';
import { keyOf } from '../../sql/text/names.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import { maxSmallAnswerBytes } from '../../wire/answerLimits.ts';
import type { Row } from '../../wire/values.ts';
import { isOfUser } from '../../sql/tables/userTables.ts';
import type { SchemaEntry } from './schemaEntries.ts';

export interface Reference {
  readonly table: string;
  /** Undefined for the table's primary key. */
  readonly column: string | undefined;
  /** All columns of a composite key, in its order, each with the column that it refers to. */
  readonly parts?: readonly { readonly column: string; readonly target: string | undefined }[];
}

export interface CatalogColumn {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  readonly defaultValue: string | null;
  /** Position in the primary key, from 1; 0 for other columns. */
  readonly primaryKey: number;
  /** Absent if the service does not report it. */
  readonly generated?: boolean;
  readonly references?: Reference | undefined;
}

export interface CatalogIndex {
  readonly name: string;
  readonly unique: boolean;
  /** Created by SQLite for a UNIQUE or PRIMARY KEY constraint. */
  readonly automatic: boolean;
  /** Undefined for an expression. */
  readonly columns: readonly (string | undefined)[];
}

export type ObjectDefinition = Omit<SchemaEntry, 'table'>;

export async function namesOfKind(project: Project, kind: 'table' | 'view'): Promise<string[]> {
  const sql = `SELECT name FROM sqlite_schema WHERE type = ? AND ${isOfUser('name')}`;
  return project.query(sql, [kind], row => textIn(row, 'name'));
}

export async function catalogColumnsOf(project: Pick<Project, 'query'>, table: string): Promise<CatalogColumn[]> {
  const sql = 'SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?) WHERE hidden <> 1';
  return project.query(sql, [table], row => ({
    name: textIn(row, 'name'),
    type: textIn(row, 'type'),
    notNull: row['notnull'] === 1,
    defaultValue: asString(row['dflt_value']) ?? null,
    primaryKey: Number(row['pk']),
    generated: Number(row['hidden']) > 1,
  }));
}

/** The foreign key of each column, by the keys of their names. */
export async function referencesOf(project: Project, table: string): Promise<Map<string, Reference>> {
  const sql = `SELECT id, "from" AS source, "table" AS target, "to" AS target_column
    FROM pragma_foreign_key_list(?) ORDER BY id, seq`;
  const parts = await project.query(sql, [table], row => ({
    id: asCount(row['id']),
    column: textIn(row, 'source'),
    table: textIn(row, 'target'),
    target: asString(row['target_column']),
  }));
  const keys = parts.map(({ id, column, table: other, target }): [string, Reference] => {
    const own = parts.filter(part => part.id === id).map(part => ({ column: part.column, target: part.target }));
    return [keyOf(column), { table: other, column: target, ...(own.length > 1 && { parts: own }) }];
  });
  return new Map(keys);
}

export async function indexesOf(project: Project, table: string): Promise<CatalogIndex[]> {
  const sql = `
    SELECT list.name, list."unique" AS is_unique, list.origin,
      (SELECT json_group_array(part.name) FROM pragma_index_info(list.name) AS part) AS parts
    FROM pragma_index_list(?) AS list ORDER BY list.name`;
  return project.query(sql, [table], row => ({
    name: textIn(row, 'name'),
    unique: row['is_unique'] === 1,
    automatic: row['origin'] !== 'c',
    columns: arrayOf(part => [asString(part)])(parseJson(textIn(row, 'parts')))?.flat() ?? refuse('parts'),
  }));
}

export async function triggersOf(project: Project, table: string): Promise<string[]> {
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE ORDER BY name`;
  return project.query(sql, [table], row => textIn(row, 'name'));
}

export async function definitionsOf(project: Project, kind: ObjectKind, name: string): Promise<ObjectDefinition[]> {
  const own = `SELECT type, name, sql, 0 AS place FROM sqlite_schema WHERE type = ? AND name = ? COLLATE NOCASE`;
  const parts = `SELECT type, name, sql, 1 FROM sqlite_schema WHERE type IN ('index', 'trigger') AND tbl_name = ? COLLATE NOCASE`;
  const isWhole = kind === 'table' || kind === 'view';
  const sql = `SELECT type, name, sql FROM (${isWhole ? `${own} UNION ALL ${parts}` : own}) WHERE sql IS NOT NULL ORDER BY place, type, name`;
  return project.query(sql, isWhole ? [kind, name, name] : [kind, name], row => ({
    kind: textIn(row, 'type') as ObjectKind,
    name: textIn(row, 'name'),
    sql: textIn(row, 'sql'),
  }));
}

/** The statements that create everything in a project, with those of SQLite's own tables that statements can read. */
export async function schemaStatementsOf(project: Project, options: SqlCallOptions): Promise<string[]> {
  const { readSchemaEntries } = await import('./schemaEntries.ts');
  const condition = `${isOfUser('name')} OR name IN ('sqlite_sequence', 'sqlite_stat1')`;
  const entries = await readSchemaEntries(project, options, condition);
  return entries.map(({ sql }) => sql);
}

/** The last AUTOINCREMENT key of a table. */
export interface Sequence {
  readonly table: string;
  readonly number: bigint;
}

/** SQLite has the table of sequences only if some table uses AUTOINCREMENT. */
export async function readSequences(project: Pick<Project, 'query'>): Promise<Sequence[]> {
  const sequenceTables = await project.query(`SELECT name FROM sqlite_schema WHERE name = 'sqlite_sequence'`, [], {
    isReadOnly: true,
    decode: () => true,
  });
  if (sequenceTables.length === 0) return [];
  const sql = `SELECT name, CAST(seq AS TEXT) AS number FROM sqlite_sequence WHERE typeof(seq) = 'integer' AND typeof(name) = 'text' ORDER BY name`;
  return project.query(sql, [], {
    isReadOnly: true,
    decode: row => ({ table: textIn(row, 'name'), number: BigInt(textIn(row, 'number')) }),
  });
}

export async function rowCountOf(project: Project, table: string, signal?: AbortSignal): Promise<bigint> {
  const sql = `SELECT count(*) AS rows FROM ${quoteIdentifier(table)}`;
  return countBy(project, { sql, params: [] }, signal);
}

export async function countBy(
  project: Pick<Project, 'query'>,
  { sql, params }: BoundSql,
  signal?: AbortSignal,
): Promise<bigint> {
  const [count] = await project.query(sql, params, {
    decode: row => asCount(row['rows']),
    maxAnswerBytes: maxSmallAnswerBytes,
    signal,
  });
  return BigInt(count ?? refuse('rows'));
}

export function textIn(row: Row, column: string): string {
  return asString(row[column]) ?? refuse(column);
}

function refuse(column: string): never {
  refuseAnswer(`The answer of the service has no valid "${column}".`);
}
