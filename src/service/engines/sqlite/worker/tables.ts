import { quoteIdentifier } from '../../../../sql/text/quoting.ts';
import { serviceCodes, ServiceError } from '../../../../wire/serviceError.ts';
import type { Page, TableColumn } from '../../../engine.ts';
import { type Connection, rowsOf } from './connection.ts';

export function listTables(connection: Connection): string[] {
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`;
  return [...rowsOf(connection.prepare(sql).statement, [])].map(([name]) => String(name));
}

export function tableSchema(connection: Connection, table: string): TableColumn[] {
  requireTable(connection, table);
  // Generated columns are told as hidden, and so are those that a virtual table keeps to itself, with a 1.
  const sql = 'SELECT cid, name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1';
  return [...rowsOf(connection.prepare(sql).statement, [table])].map(
    ([cid, name, type, notNull, written, primaryKey]) => ({
      cid: Number(cid),
      name: String(name),
      type: String(type),
      notNull: Number(notNull) === 1,
      default: typeof written === 'string' ? written : null,
      primaryKey: Number(primaryKey),
    }),
  );
}

/** The statement for a page of a table, in an order that stays while nothing is written. */
export function browseStatement(connection: Connection, { table }: Page): string {
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

/** By the rowid itself: a column may have one of its names, and then is what that name stands for. */
function rowidOrder(connection: Connection, table: string): string {
  const sql = 'SELECT lower(name) FROM pragma_table_xinfo(?)';
  const taken = new Set([...rowsOf(connection.prepare(sql).statement, [table])].map(([name]) => name));
  const free = ['rowid', '_rowid_', 'oid'].find(name => !taken.has(name));
  return free === undefined ? '' : ` ORDER BY ${free}`;
}

function requireTable(connection: Connection, table: string): { type: string; withoutRowid: boolean } {
  const sql = `SELECT type, wr FROM pragma_table_list(?) WHERE schema = 'main'`;
  // SQLite's own tables, and the service's, are none of the project's.
  const [found] = /^sqlite_/i.test(table) ? [] : rowsOf(connection.prepare(sql).statement, [table]);
  if (found) return { type: String(found[0]), withoutRowid: Boolean(found[1]) };
  const message = `There is no table "${table}" in this project.`;
  throw new ServiceError({ status: 404, code: serviceCodes.tableNotFound, message });
}
