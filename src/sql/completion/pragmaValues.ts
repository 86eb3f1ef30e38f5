import type { PragmaStmt } from 'sqlite3-parser';
import type { Visited } from '../parser/walk.ts';
import { keyOf } from '../text/names.ts';
import type { NamesRequest } from './namesRequest.ts';
import { proposeIndexesOrTriggers, proposeTables } from './tableProposals.ts';

const onOrOff = ['ON', 'OFF'];

const switches = `automatic_index cache_spill case_sensitive_like cell_size_check checkpoint_fullfsync count_changes
   defer_foreign_keys empty_result_callbacks foreign_keys full_column_names fullfsync ignore_check_constraints
   legacy_alter_table legacy_file_format query_only read_uncommitted recursive_triggers reverse_unordered_selects
   short_column_names trusted_schema writable_schema`.split(/\s+/);

const valuesByName: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...switches.map(name => [name, onOrOff] as const),
  ['auto_vacuum', ['NONE', 'FULL', 'INCREMENTAL']],
  ['encoding', ["'UTF-8'", "'UTF-16'", "'UTF-16le'", "'UTF-16be'"]],
  ['journal_mode', ['DELETE', 'TRUNCATE', 'PERSIST', 'MEMORY', 'WAL', 'OFF']],
  ['locking_mode', ['NORMAL', 'EXCLUSIVE']],
  ['secure_delete', ['ON', 'OFF', 'FAST']],
  ['synchronous', ['OFF', 'NORMAL', 'FULL', 'EXTRA']],
  ['temp_store', ['DEFAULT', 'FILE', 'MEMORY']],
  ['wal_checkpoint', ['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE']],
]);

/** The PRAGMA whose value a name is. The grammar reads the value as an expression. */
export function pragmaOfValue(name: Visited): PragmaStmt | undefined {
  const body = name.parent?.node.type === 'NameExpr' ? name.parent.parent : undefined;
  const isValue = body?.node.type === 'EqualsPragmaBody' || body?.node.type === 'CallPragmaBody';
  const pragma = isValue ? body.parent?.node : undefined;
  return pragma?.type === 'PragmaStmt' ? pragma : undefined;
}

/** Proposes the words that a PRAGMA takes as its value, or the names that it takes between parentheses. */
export function proposePragmaValues(request: NamesRequest, { name, body }: PragmaStmt): void {
  const { proposals, schema } = request;
  const pragma = keyOf(name.objName.text);
  const values = valuesByName.get(pragma);
  if (values) for (const value of values) proposals.addWords('pragmaValue', value, 'column');
  else if (body?.type !== 'CallPragmaBody') return;
  else if (pragma.startsWith('index_')) proposeIndexesOrTriggers(proposals, 'index', schema.indexes);
  else proposeTables(request, () => true);
}
