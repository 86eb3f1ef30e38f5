import { builtInFunction } from '../../../sql/functions/builtInFunctions.ts';
import { keyOf } from '../../../sql/text/names.ts';

/* The pragmas, functions and tables of SQLite that a read may use. Others are refused, because SQLite gains new ones. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Pragmas that only read, with and without an argument. */
const readingPragmas = words(
  `collation_list compile_options foreign_key_check foreign_key_list function_list index_info index_list index_xinfo
   integrity_check module_list pragma_list quick_check table_info table_list table_xinfo`,
);

/** Pragmas that read without an argument, and set something with one. */
const settablePragmas = words(
  `application_id data_version encoding foreign_keys freelist_count page_count page_size schema_version user_version`,
);

/** SQLite looks up a name without a prefix in the schema before it finds one of these. */
const readableTables = words(
  `json_each json_tree jsonb_each jsonb_tree sqlite_master sqlite_schema sqlite_sequence sqlite_stat1 sqlite_stat4`,
);

/** Functions that load code, write a log, or read memory or offsets of the file. */
const refusedFunctions = words('load_extension fts3_tokenizer sqlite_log sqlite_offset');

export function isReadingPragma(name: string, hasArgument: boolean): boolean {
  const pragma = keyOf(name);
  return readingPragmas.has(pragma) || (settablePragmas.has(pragma) && !hasArgument);
}

export const isHarmlessFunction = (name: string): boolean =>
  // The operator MATCH calls a function of full-text tables.
  keyOf(name) === 'match' || (builtInFunction(name) !== undefined && !refusedFunctions.has(keyOf(name)));

/** Whether a table that is not in the schema may be read: one of SQLite's own, or a function with rows. */
export function isReadableSystemTable(name: string): boolean {
  const table = keyOf(name);
  // A function such as `pragma_table_info` returns the rows of its pragma.
  const pragma = /^pragma_(.*)$/is.exec(table)?.[1];
  return readableTables.has(table) || (pragma !== undefined && isReadingPragma(pragma, false));
}
