import type { SelectFrom } from 'sqlite3-parser';
import { walk, isFunctionName } from '../parser/walk.ts';
import type { Schema } from '../schema/schema.ts';
import { type ColumnReference, columnReferenceOf } from '../scope/columnReference.ts';
import type { SchemaTable } from '../tables/schemaTable.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { initialsOf } from './aliasProposals.ts';
import { proposeColumn } from './columnProposal.ts';
import { marker } from './cursorContext.ts';
import type { FromText } from './fromText.ts';
import type { Proposals, Rank } from './proposals.ts';

const maxColumns = 200;
/** Reading the columns of a view for the first time takes longer than those of a table. */
const maxViews = 200;

/** Proposes the columns of tables that match the typed word, for a query without FROM. Choosing one adds FROM. */
export function proposeUnscopedColumns(
  proposals: Proposals,
  request: {
    /** The likeliest first. */
    readonly tables: readonly SchemaTable[];
    readonly typed: string;
    readonly fromOf: (table: SchemaTable) => FromText | undefined;
    /** The ranks of a table's columns, by their names. */
    readonly ranksOf: (table: SchemaTable) => (column: string) => Rank;
  },
): void {
  const { tables, fromOf, ranksOf } = request;
  const typed = keyOf(request.typed);
  let count = 0;
  const propose = (matches: (key: string) => boolean): void => {
    for (const table of tables) {
      const from = fromOf(table);
      const rankOf = ranksOf(table);
      for (const [position, key] of columnKeysOf(table).entries()) {
        if (!matches(key)) continue;
        if (count === maxColumns) {
          proposals.isCut = true;
          return;
        }
        const column = table.columns[position]!;
        proposeColumn(proposals, column, rankOf(column.name), { origin: table.name, table, from });
        count++;
      }
    }
  };
  propose(key => key.startsWith(typed));
  if (typed !== '') propose(key => key.includes(typed) && !key.startsWith(typed));
}

/** The tables that an alias fits, the likeliest first: the alias is their initials, or their names begin with it. */
export function tablesWithAlias(
  alias: string,
  query: SelectFrom,
  { schema, mentioned }: { readonly schema: Schema; readonly mentioned: ReadonlySet<string> },
): readonly SchemaTable[] {
  const letters = keyOf(alias).replace(/\d+$/, '');
  if (letters === '') return [];
  const used = usedColumns(query, alias);
  const rankOf = (table: SchemaTable): number =>
    hasColumns(table, used) ? 0 : initialsOf(table.name) === letters ? 1 : 2;
  return likeliestTables(schema, used, mentioned)
    .filter(({ name }) => initialsOf(name) === letters || keyOf(name).startsWith(letters))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** The tables that have all used columns, then those that are mentioned nearby, then the others. */
export function likeliestTables(
  schema: Schema,
  used: ReadonlySet<string>,
  mentioned: ReadonlySet<string>,
): readonly SchemaTable[] {
  const matching: SchemaTable[] = [];
  const mentionedTables: SchemaTable[] = [];
  const others: SchemaTable[] = [];
  let viewCount = 0;
  for (const table of schema.tables) {
    if (table.kind === 'view' && ++viewCount > maxViews) continue;
    if (hasColumns(table, used)) matching.push(table);
    else if (mentioned.has(keyOf(table.name))) mentionedTables.push(table);
    else others.push(table);
  }
  return [...matching, ...mentionedTables, ...others];
}

/** The keys of the columns that the results of a query name with a qualifier or, by default, without one. */
export function usedColumns({ columns }: SelectFrom, qualifier?: string): ReadonlySet<string> {
  const used = new Set<string>();
  for (const column of columns) {
    if (column.type !== 'ExprResultColumn') continue;
    walk(column.expr, visited => {
      const { node } = visited;
      const reference = isFunctionName(visited) ? undefined : columnReferenceOf(node);
      if (reference && reference.name !== '' && reference.name !== marker && hasQualifier(reference, qualifier)) {
        used.add(keyOf(reference.name));
      }
      return node.type !== 'Select' && used.size < maxUsedColumns;
    });
  }
  return used;
}

const hasQualifier = (reference: ColumnReference, qualifier: string | undefined): boolean =>
  qualifier === undefined
    ? reference.qualifier === undefined
    : reference.qualifier !== undefined && isSameName(reference.qualifier, qualifier);

/** This many used columns suffice to tell one table from all others. */
const maxUsedColumns = 20;

/** Whether a table has all used columns. False without columns: then every table would match. */
export function hasColumns(table: SchemaTable, used: ReadonlySet<string>): boolean {
  if (used.size === 0) return false;
  const keys = columnKeysOf(table);
  return [...used].every(key => keys.includes(key));
}

const keysByTable = new WeakMap<SchemaTable, readonly string[]>();

/** The keys of a table's columns. They are cached, because each keystroke compares those of all tables. */
function columnKeysOf(table: SchemaTable): readonly string[] {
  let keys = keysByTable.get(table);
  if (!keys) {
    keys = table.columns.map(({ name }) => keyOf(name));
    keysByTable.set(table, keys);
  }
  return keys;
}
