import { keyOf } from '../../../sql/text/names.ts';
import { quoteIdentifier } from '../../../sql/text/quoting.ts';
import type { TableColumn } from '../../../wire/projectAnswers.ts';
import { serviceCodes, ServiceError } from '../../../wire/serviceError.ts';

/** The database of a project, as an engine reads it. */
export interface QueriedDatabase {
  /** Runs a statement and gives the values of its rows. */
  readonly select: (sql: string, ...values: string[]) => Iterable<readonly unknown[]>;
  /** Matches the names of tables that do not belong to the project. */
  readonly ownTables: RegExp;
}

export function readTableNames({ select, ownTables }: QueriedDatabase): string[] {
  const rows = select(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`);
  return Array.from(rows, ([name]) => String(name)).filter(name => !ownTables.test(name));
}

export function tableColumns(database: QueriedDatabase, table: string): TableColumn[] {
  requireTable(database, table);
  // `hidden` is 1 for the internal columns of a virtual table. Generated columns have other values.
  const sql = 'SELECT cid, name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1';
  return Array.from(database.select(sql, table), ([cid, name, type, notNull, defaultValue, primaryKey]) => ({
    position: Number(cid),
    name: String(name),
    type: String(type),
    notNull: Number(notNull) === 1,
    defaultValue: typeof defaultValue === 'string' ? defaultValue : null,
    primaryKey: Number(primaryKey),
  }));
}

/** The statement for a page of a table. Its order is stable while nothing is written. */
export const browseStatement = (database: QueriedDatabase, table: string): string =>
  `SELECT * FROM ${quoteIdentifier(table)}${browseOrder(database, table)} LIMIT ? OFFSET ?`;

function browseOrder(database: QueriedDatabase, table: string): string {
  const { type, withoutRowid } = requireTable(database, table);
  if (type === 'view') return '';
  const sql = `SELECT name FROM pragma_table_xinfo(?) ${withoutRowid ? 'WHERE pk > 0 ORDER BY pk' : ''}`;
  const names = Array.from(database.select(sql, table), ([name]) => String(name));
  if (withoutRowid) return ` ORDER BY ${names.map(quoteIdentifier).join(', ')}`;
  // A column may have one of the rowid's names, which then means the column.
  const usedNames = new Set(names.map(keyOf));
  const freeName = ['rowid', '_rowid_', 'oid'].find(name => !usedNames.has(name));
  return freeName === undefined ? '' : ` ORDER BY ${freeName}`;
}

function requireTable({ select, ownTables }: QueriedDatabase, table: string): { type: string; withoutRowid: boolean } {
  const sql = `SELECT type, wr FROM pragma_table_list(?) WHERE schema = 'main'`;
  const [row] = ownTables.test(table) ? [] : select(sql, table);
  if (row) return { type: String(row[0]), withoutRowid: Number(row[1]) === 1 };
  const message = `There is no table "${table}" in this project. Check its name, or list the tables.`;
  throw new ServiceError({ status: 404, code: serviceCodes.tableNotFound, message });
}
