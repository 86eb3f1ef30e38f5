import { keyOf } from '../text/names.ts';
import { untypedColumn } from './lazyColumns.ts';
import type { SchemaTable } from './schemaTable.ts';

/** The tables and table-valued functions of every SQLite database, with their columns. */
const columnsByName: Readonly<Record<string, readonly [kind: 'table' | 'function', columns: string]>> = {
  sqlite_schema: ['table', 'type name tbl_name rootpage sql'],
  json_each: ['function', 'key value type atom id parent fullkey path'],
  json_tree: ['function', 'key value type atom id parent fullkey path'],
  jsonb_each: ['function', 'key value type atom id parent fullkey path'],
  jsonb_tree: ['function', 'key value type atom id parent fullkey path'],
  pragma_collation_list: ['function', 'seq name'],
  pragma_compile_options: ['function', 'compile_options'],
  pragma_database_list: ['function', 'seq name file'],
  pragma_foreign_key_check: ['function', 'table rowid parent fkid'],
  pragma_foreign_key_list: ['function', 'id seq table from to on_update on_delete match'],
  pragma_foreign_keys: ['function', 'foreign_keys'],
  pragma_freelist_count: ['function', 'freelist_count'],
  pragma_function_list: ['function', 'name builtin type enc narg flags'],
  pragma_index_info: ['function', 'seqno cid name'],
  pragma_index_list: ['function', 'seq name unique origin partial'],
  pragma_index_xinfo: ['function', 'seqno cid name desc coll key'],
  pragma_integrity_check: ['function', 'integrity_check'],
  pragma_module_list: ['function', 'name'],
  pragma_page_count: ['function', 'page_count'],
  pragma_page_size: ['function', 'page_size'],
  pragma_pragma_list: ['function', 'name'],
  pragma_table_info: ['function', 'cid name type notnull dflt_value pk'],
  pragma_table_list: ['function', 'schema name type ncol wr strict'],
  pragma_table_xinfo: ['function', 'cid name type notnull dflt_value pk hidden'],
  pragma_user_version: ['function', 'user_version'],
};

export const systemTables: ReadonlyMap<string, SchemaTable> = new Map(
  Object.entries(columnsByName).map(([name, [kind, columns]]) => [
    name,
    { name, kind, columns: columns.split(' ').map(untypedColumn), hiddenColumns: [], primaryKey: [], foreignKeys: [] },
  ]),
);

/** Older names that SQLite still accepts. */
const aliases: Readonly<Record<string, string>> = { sqlite_master: 'sqlite_schema' };

export function systemTable(name: string): SchemaTable | undefined {
  const key = keyOf(name);
  return systemTables.get(aliases[key] ?? key);
}
