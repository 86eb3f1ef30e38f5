/** What a PRAGMA does: tell, change the connection, or change the database. One that is not known here is taken for the last. */
export type PragmaEffect = 'read' | 'session' | 'write';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** These tell, and take what they tell of as an argument. */
const tellers = words(
  `table_info table_xinfo table_list index_info index_list index_xinfo foreign_key_list foreign_key_check integrity_check
   quick_check collation_list compile_options database_list data_version freelist_count function_list module_list page_count
   pragma_list stats`,
);

/** These do something even without a value. */
const doers = words('optimize incremental_vacuum wal_checkpoint');

/** The value of these is kept in the database file, or changes how it is written from now on. */
const kept = words(
  'application_id user_version auto_vacuum encoding journal_mode page_size schema_version default_cache_size writable_schema',
);

/** The value of these ends with the connection. */
const connection = words(
  `analysis_limit automatic_index busy_timeout cache_size cache_spill case_sensitive_like cell_size_check
   checkpoint_fullfsync count_changes defer_foreign_keys empty_result_callbacks foreign_keys full_column_names fullfsync
   hard_heap_limit ignore_check_constraints journal_size_limit legacy_alter_table legacy_file_format locking_mode
   max_page_count mmap_size query_only read_uncommitted recursive_triggers reverse_unordered_selects secure_delete
   short_column_names soft_heap_limit synchronous temp_store temp_store_directory threads trusted_schema
   wal_autocheckpoint`,
);

/** The names of those that are known here. */
export const knownPragmas: readonly string[] = [
  ...tellers,
  ...connection,
  ...kept,
  ...doers,
  'shrink_memory',
].toSorted();

/** @see https://sqlite.org/pragma.html */
export function pragmaEffect(name: string, hasValue: boolean): PragmaEffect {
  const pragma = name.toLowerCase();
  if (tellers.has(pragma)) return 'read';
  if (pragma === 'shrink_memory') return 'session';
  if (doers.has(pragma)) return 'write';
  if (connection.has(pragma)) return hasValue ? 'session' : 'read';
  return kept.has(pragma) && !hasValue ? 'read' : 'write';
}
