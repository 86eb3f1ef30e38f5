import { keyOf } from '../text/names.ts';
import { unquoted } from '../text/quoting.ts';
import type { SchemaObject } from './schemaObject.ts';
import { firstWords, wordsOf } from './statementWords.ts';

/** A module stores a virtual table in shadow tables, each named by the table and a suffix: `notes_data`. */
const shadowTableSuffixes: Readonly<Record<string, readonly string[]>> = {
  FTS5: ['data', 'idx', 'content', 'docsize', 'config'],
  FTS4: ['content', 'segments', 'segdir', 'docsize', 'stat'],
  FTS3: ['content', 'segments', 'segdir', 'docsize', 'stat'],
  RTREE: ['node', 'parent', 'rowid'],
  RTREE_I32: ['node', 'parent', 'rowid'],
  GEOPOLY: ['node', 'parent', 'rowid'],
};

/** The engine has FTS5 in place of these modules. */
const isOldFullText = (module: string): boolean => /^FTS[34]$/.test(module);

const modulesInEngine: ReadonlySet<string> = new Set(['FTS5', 'FTS5VOCAB', 'RTREE', 'RTREE_I32', 'DBSTAT']);

/** Whether a substitute stands for a virtual table. A substitute lacks the hidden columns and the functions of the module. */
export const hasSubstitute = ({ kind, sql }: SchemaObject): boolean =>
  kind === 'virtual' && !modulesInEngine.has(moduleOf(sql));

/** Enough words for `CREATE VIRTUAL TABLE IF NOT EXISTS database.name USING module`. */
const maxHeadWords = 11;

export function shadowTablesOf({ kind, name, sql }: SchemaObject): string[] {
  if (kind !== 'virtual') return [];
  return (shadowTableSuffixes[moduleOf(sql)] ?? [])
    .filter(suffix => !isOmitted(suffix, sql))
    .map(suffix => `${name}_${suffix}`);
}

/** The shadow tables that the engine creates as well, with its own module. */
export function shadowTablesInEngine(object: SchemaObject): string[] {
  const module = moduleOf(object.sql);
  const engineModule = isOldFullText(module) ? 'FTS5' : module;
  const suffixes = (modulesInEngine.has(engineModule) && shadowTableSuffixes[engineModule]) || [];
  return shadowTablesOf(object).filter(table => suffixes.includes(table.slice(object.name.length + 1)));
}

/** The virtual table whose shadow table would have this name: `notes` for `notes_data`. */
export function virtualTableOf(table: string): string | undefined {
  return /^(.+)_(?:data|idx|content|docsize|config|segments|segdir|stat|node|parent|rowid)$/s.exec(table)?.[1];
}

/** The name of the module, in upper case. */
export function moduleOf(sql: string): string {
  const words = firstWords(sql, maxHeadWords);
  return unquoted(words[words.findIndex(({ key }) => key === 'USING') + 1]?.text ?? '').toUpperCase();
}

/** Options of a full-text table can place its content elsewhere, and omit the sizes of its columns. */
function isOmitted(suffix: string, sql: string): boolean {
  if (suffix === 'content') return /\bcontent\s*=/i.test(sql);
  return suffix === 'docsize' && /\bcolumnsize\s*=\s*['"]?0/i.test(sql);
}

/** The parts of CREATE VIRTUAL TABLE. Options are `name = value`, by their names in lower case. */
interface VirtualTableArguments {
  /** The name of the table, perhaps with that of the database, as the statement writes it. */
  readonly table: string;
  /** The first words of the arguments, as they are written. */
  readonly columns: readonly string[];
  readonly options: ReadonlyMap<string, string>;
}

/** Undefined when the statement creates no virtual table. */
export function virtualTableArguments(sql: string): VirtualTableArguments | undefined {
  const words = [...wordsOf(sql)];
  const using = words.findIndex(({ key }) => key === 'USING');
  const table = words.findIndex(({ key }) => key === 'TABLE');
  if (using === -1 || table === -1) return undefined;
  const columns: string[] = [];
  const options = new Map<string, string>();
  let depth = 0;
  for (const [index, word] of words.entries()) {
    if (index <= using + 1) continue;
    const isOpening = word.key === '(';
    if (isOpening) depth++;
    if (word.key === ')') depth--;
    const startsArgument = depth === 1 && (isOpening || word.key === ',');
    // An R-tree marks a column that it does not index by `+`.
    const firstIndex = words[index + 1]?.key === '+' ? index + 2 : index + 1;
    const first = words[firstIndex];
    if (!startsArgument || !first || /^[(),]$/.test(first.key)) continue;
    if (words[firstIndex + 1]?.key === '=') options.set(keyOf(first.text), words[firstIndex + 2]?.text ?? '');
    else columns.push(first.text);
  }
  return { table: sql.slice(words[table]?.end, words[using]?.start), columns, options };
}

/** Statements that create a substitute, the best first: FTS5 for its predecessors, else a table with the arguments as columns. */
export function virtualTableSubstitutes(sql: string): string[] {
  const found = virtualTableArguments(sql);
  if (!found) return [];
  const { table, columns } = found;
  const columnList = columns.length > 0 ? columns.join(', ') : 'content';
  const plainTable = `CREATE TABLE ${table} (${columnList})`;
  return isOldFullText(moduleOf(sql))
    ? [`CREATE VIRTUAL TABLE ${table} USING fts5(${columnList})`, plainTable]
    : [plainTable];
}
