import { keyOf } from '../text/names.ts';

/** A PRAGMA reads, changes the connection, or changes the database. An unknown one counts as a write. */
type PragmaEffect = 'read' | 'session' | 'write';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** They read, and their argument only says what to read. */
const readingPragmas = words(
  `table_info table_xinfo table_list index_info index_list index_xinfo foreign_key_list foreign_key_check integrity_check
   quick_check collation_list compile_options database_list data_version freelist_count function_list module_list page_count
   pragma_list stats`,
);

/** They change the database even without a value. */
const actionPragmas = words('optimize incremental_vacuum wal_checkpoint');

/** They free memory of the connection. */
const memoryPragmas = words('shrink_memory');

/** Their value stays in the database file, or changes how the file is written from now on. */
const databasePragmas = words(
  'application_id user_version auto_vacuum encoding journal_mode page_size schema_version default_cache_size writable_schema',
);

/** Their value is lost when the connection ends. */
const connectionPragmas = words(
  `analysis_limit automatic_index busy_timeout cache_size cache_spill case_sensitive_like cell_size_check
   checkpoint_fullfsync count_changes defer_foreign_keys empty_result_callbacks foreign_keys full_column_names fullfsync
   hard_heap_limit ignore_check_constraints journal_size_limit legacy_alter_table legacy_file_format locking_mode
   max_page_count mmap_size query_only read_uncommitted recursive_triggers reverse_unordered_selects secure_delete
   short_column_names soft_heap_limit synchronous temp_store temp_store_directory threads trusted_schema
   wal_autocheckpoint`,
);

/** Sorted, for completion. */
export const pragmaNames: readonly string[] = [
  ...readingPragmas,
  ...connectionPragmas,
  ...databasePragmas,
  ...actionPragmas,
  ...memoryPragmas,
].toSorted();

/** @see https://sqlite.org/pragma.html */
export function pragmaEffect(name: string, hasValue: boolean): PragmaEffect {
  const pragma = keyOf(name);
  if (readingPragmas.has(pragma)) return 'read';
  if (memoryPragmas.has(pragma)) return 'session';
  if (actionPragmas.has(pragma)) return 'write';
  if (connectionPragmas.has(pragma)) return hasValue ? 'session' : 'read';
  return databasePragmas.has(pragma) && !hasValue ? 'read' : 'write';
}
