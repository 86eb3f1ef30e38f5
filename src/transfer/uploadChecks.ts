import type { DatabaseSync } from 'node:sqlite';
import type { ProjectStatus } from '../client/index.ts';
import { backupMark } from '../sql/tables/userTables.ts';
import { isSameName } from '../sql/text/names.ts';
import { quoteIdentifier } from '../sql/text/quoting.ts';
import { cannotMove, type MovedSchema, objectsAfterRows, ownPrefix, requireMovable } from './movedSchema.ts';
import type { MovedTable } from './movedTable.ts';
import { rowOrder, tableOrder } from './sendOrder.ts';
import type { RowOrder } from './fileRows.ts';

/** The limits that a service reports, if it has the call for them. */
export type ServiceLimits = NonNullable<ProjectStatus['engine']>['limits'];

export interface SendPlan {
  readonly table: MovedTable;
  /** With its row ids, a row would have more columns than a statement takes. */
  readonly leavesOutRowIds: boolean;
  readonly order: RowOrder | undefined;
}

/** Throws with the names of all tables and objects that the service would refuse. */
export function planUpload(database: DatabaseSync, schema: MovedSchema, limits: ServiceLimits | undefined): SendPlan[] {
  requireMovable(schema);
  const reasons: string[] = [];
  const refuse = (name: string, reason: string): void => void reasons.push(`${name}: ${reason}`);
  const { statementBytes } = limits ?? {};
  for (const { name, sql } of [...schema.tables, ...objectsAfterRows(schema)]) {
    if (name.startsWith(ownPrefix)) refuse(name, 'names like this are those of an upload itself');
    if (isSameName(name, backupMark)) refuse(name, 'the name marks the backups of the service');
    if (statementBytes !== undefined && Buffer.byteLength(sql) > statementBytes)
      refuse(name, `its statement is longer than ${statementBytes} bytes`);
  }
  for (const table of schema.tables) {
    for (const reason of tableFaults(database, table, limits)) refuse(table.name, reason);
  }
  for (const [table, parent] of brokenReferences(database))
    refuse(table, `rows refer to rows that ${parent} does not have`);
  const { tables, inCircle } = tableOrder(database, schema.tables);
  for (const { name } of inCircle) refuse(name, 'its rows and those of other tables refer to each other in a circle');
  const plans = tables.map((table, nth): SendPlan => {
    const order = rowOrder(database, table, nth);
    if (order === 'circle') refuse(table.name, 'its rows refer to each other in a circle');
    if (order === 'later') refuse(table.name, 'its rows refer to later rows, and it has no row ids');
    return {
      table,
      leavesOutRowIds: leavesOutRowIds(table, limits),
      order: typeof order === 'string' ? undefined : order,
    };
  });
  if (reasons.length > 0) throw cannotMove(reasons);
  return plans;
}

/** A table whose row ids are left out gets the numbers from 1 on. */
const leavesOutRowIds = ({ startsWithRowId, columns }: MovedTable, limits: ServiceLimits | undefined): boolean =>
  startsWithRowId && columns.length > (limits?.columns ?? Infinity);

function* tableFaults(database: DatabaseSync, table: MovedTable, limits: ServiceLimits | undefined): Generator<string> {
  const { columns, valueBytes } = limits ?? {};
  const name = quoteIdentifier(table.name);
  const columnCount = table.columns.length - (table.startsWithRowId ? 1 : 0);
  if (columns !== undefined && columnCount > columns) {
    yield `it has ${columnCount} columns, and the service takes ${columns}`;
  } else if (columns !== undefined && table.columns.length > columns && !hasPlainRowIds(database, table)) {
    yield `it has ${columnCount} columns, and row ids with gaps, which do not fit into a statement of ${columns} columns`;
  }
  if (valueBytes === undefined || table.columns.length === 0) return;
  const longest = database.prepare(`SELECT max(${rowLengthSql(table.columns)}) AS length FROM ${name}`).get()!;
  if (Number(longest['length'] ?? 0) > valueBytes) yield `a row is longer than ${valueBytes} bytes`;
}

/** Sums in groups: SQLite limits the depth of an expression. */
function rowLengthSql(columns: readonly string[]): string {
  const lengths = columns.map(column => `ifnull(octet_length(${quoteIdentifier(column)}), 0)`);
  const sums: string[] = [];
  for (let at = 0; at < lengths.length; at += groupedColumns) {
    sums.push(`(${lengths.slice(at, at + groupedColumns).join(' + ')})`);
  }
  return sums.join(' + ');
}

const groupedColumns = 50;

/** Whether the row ids are 1, 2, 3 and so on, as a service gives them. */
function hasPlainRowIds(database: DatabaseSync, { name, columns }: MovedTable): boolean {
  const id = quoteIdentifier(columns[0]!);
  const sql = `SELECT count(*) = coalesce(max(${id}), 0) AND coalesce(min(${id}), 1) = 1 AS plain FROM ${quoteIdentifier(name)}`;
  return database.prepare(sql).get()!['plain'] === 1;
}

/** Each table with rows that refer to missing rows, and the table in which they are missing. */
function brokenReferences(database: DatabaseSync): ReadonlyMap<string, string> {
  const broken = new Map<string, string>();
  try {
    for (const row of database.prepare('PRAGMA foreign_key_check').iterate()) {
      broken.set(String(row['table']), String(row['parent']));
    }
  } catch {
    // A foreign key refers to columns that are not a key. The service refuses the rows that use it.
  }
  return broken;
}
