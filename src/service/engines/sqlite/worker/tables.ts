import { quoteIdentifier } from '../../../../sql/text/quoting.ts';
import { serviceCodes, ServiceError } from '../../../../wire/serviceError.ts';
import type { EnginePage, EngineColumn } from '../../../engine.ts';
import { type Connection, rowsOf } from './connection.ts';

export function tableNames(connection: Connection): string[] {
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`;
  return [...rowsOf(connection.prepare(sql).statement, [])].map(([name]) => String(name));
}

export function tableColumns(connection: Connection, table: string): EngineColumn[] {
  requireTable(connection, table);
  // `hidden` is 1 for the internal columns of a virtual table. Generated columns have other values.
  const sql = 'SELECT cid, name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1';
  return [...rowsOf(connection.prepare(sql).statement, [table])].map(
    ([cid, name, type, notNull, defaultValue, primaryKey]) => ({
      cid: Number(cid),
      name: String(name),
      type: String(type),
      notNull: Number(notNull) === 1,
      default: typeof defaultValue === 'string' ? defaultValue : null,
      primaryKey: Number(primaryKey),
    }),
  );
}

/** The statement for a page of a table. Its order is stable while nothing is written. */
export function browseStatement(connection: Connection, { table }: EnginePage): string {
  return `SELECT * FROM ${quoteIdentifier(table)}${browseOrder(connection, table)} LIMIT ? OFFSET ?`;
}

function browseOrder(connection: Connection, table: string): string {
  const { type, withoutRowid } = requireTable(connection, table);
  if (type === 'view') return '';
  if (!withoutRowid) return rowidOrder(connection, table);
  const sql = 'SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk';
  const keys = [...rowsOf(connection.prepare(sql).statement, [table])];
  return ` ORDER BY ${keys.map(([name]) => quoteIdentifier(String(name))).join(', ')}`;
}

/** Orders by the rowid. A column may have one of the rowid's names, which then means the column. */
function rowidOrder(connection: Connection, table: string): string {
  const sql = 'SELECT lower(name) FROM pragma_table_xinfo(?)';
  const columnNames = new Set([...rowsOf(connection.prepare(sql).statement, [table])].map(([name]) => name));
  const freeName = ['rowid', '_rowid_', 'oid'].find(name => !columnNames.has(name));
  return freeName === undefined ? '' : ` ORDER BY ${freeName}`;
}

function requireTable(connection: Connection, table: string): { type: string; withoutRowid: boolean } {
  const sql = `SELECT type, wr FROM pragma_table_list(?) WHERE schema = 'main'`;
  // SQLite's own tables do not belong to the project.
  const [row] = /^sqlite_/i.test(table) ? [] : rowsOf(connection.prepare(sql).statement, [table]);
  if (row) return { type: String(row[0]), withoutRowid: Boolean(row[1]) };
  const message = `There is no table "${table}" in this project. Check its name, or list the tables.`;
  throw new ServiceError({ status: 404, code: serviceCodes.tableNotFound, message });
}
