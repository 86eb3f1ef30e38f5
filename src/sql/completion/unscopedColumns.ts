import type { AstNode, SelectFrom } from 'sqlite3-parser';
import { nodesIn, isFunctionName } from '../parser/walk.ts';
import type { Schema } from '../schema/schema.ts';
import { type ColumnReference, columnReferenceOf } from '../scope/columnReference.ts';
import type { SchemaColumn, SchemaTable } from '../tables/schemaTable.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { initialsOf } from './aliasProposals.ts';
import { proposeColumn } from './columnProposal.ts';
import { columnsComparedWithSubquery } from './comparedColumns.ts';
import { marker } from './cursorContext.ts';
import { placeOfFrom, queryWithoutFrom } from './fromText.ts';
import type { NamesRequest } from './proposals.ts';

const maxColumns = 200;
/** Reading the columns of a view for the first time takes longer than those of a table. */
const maxViews = 200;

/** Before FROM is written, proposes the columns of all tables, or of those that an alias fits. Choosing one adds FROM. */
export function proposeColumnsWithoutFrom(request: NamesRequest, alias?: string): void {
  const { proposals, name, scope, schema, surroundings } = request;
  const query = queryWithoutFrom(name);
  if (!query) return;
  const mentioned = surroundings.names();
  const tables =
    alias === undefined
      ? likeliestTables(schema, usedColumns(query), mentioned)
      : tablesWithAlias(alias, query, { schema, mentioned });
  const fromText = placeOfFrom(request);
  const connectedColumns = columnsComparedWithSubquery(request);
  // In a subquery these columns are likelier than those of outer queries.
  const isInQuery = scope.levels.flat().some(({ qualifiedOnly }) => !qualifiedOnly);
  const rank = isInQuery || alias !== undefined ? 'column' : 'unscoped';
  let count = 0;
  for (const { table, column } of matchingColumns(tables, keyOf(request.typed))) {
    if (count === maxColumns) {
      proposals.isCut = true;
      return;
    }
    const isConnected = connectedColumns(table).includes(column.name);
    const from = fromText?.(table.name, alias);
    proposeColumn(proposals, column, isConnected ? 'related' : rank, { origin: table.name, table, from });
    count++;
  }
}

/** The columns whose names begin with the typed letters, then those that contain them. */
function* matchingColumns(
  tables: readonly SchemaTable[],
  typed: string,
): Iterable<{ readonly table: SchemaTable; readonly column: SchemaColumn }> {
  for (const isAtStart of typed === '' ? [true] : [true, false]) {
    for (const table of tables) {
      for (const [position, key] of columnKeysOf(table).entries()) {
        if (key.includes(typed) && key.startsWith(typed) === isAtStart)
          yield { table, column: table.columns[position]! };
      }
    }
  }
}

/** The tables that an alias fits, the likeliest first: the alias is their initials, or their names begin with it. */
function tablesWithAlias(
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
function likeliestTables(
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
    const isLeaf = ({ type }: AstNode): boolean => type === 'Select' || used.size >= maxUsedColumns;
    for (const visited of nodesIn(column.expr, isLeaf)) {
      const { node } = visited;
      const reference = isFunctionName(visited) ? undefined : columnReferenceOf(node);
      if (reference && reference.name !== '' && reference.name !== marker && hasQualifier(reference, qualifier)) {
        used.add(keyOf(reference.name));
      }
    }
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
