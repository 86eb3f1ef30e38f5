import type { SelectFrom } from 'sqlite3-parser';
import { walk } from '../parser/walk.ts';
import type { Schema } from '../schema/schema.ts';
import type { SchemaTable } from '../tables/schemaTable.ts';
import { keyOf } from '../text/names.ts';
import { proposeColumn } from './columnProposal.ts';
import { marker } from './cursorContext.ts';
import type { FromText } from './fromText.ts';
import type { Proposals } from './proposals.ts';

/** Proposes at most this many columns of all tables. */
const maxColumns = 200;
/** The columns of a view are resolved when they are first read, which takes longer than those of a table. */
const maxViews = 200;

/** Proposes the columns of all tables that match the typed word, for a query without FROM. Choosing one adds FROM. */
export function proposeUnscopedColumns(
  proposals: Proposals,
  request: {
    readonly query: SelectFrom;
    readonly schema: Schema;
    readonly typed: string;
    readonly mentionedTables: ReadonlySet<string>;
    readonly fromText: ((table: string) => FromText) | undefined;
  },
): void {
  const { query, schema, fromText } = request;
  const typed = keyOf(request.typed);
  const tables = likeliestTables(schema, usedColumns(query), request.mentionedTables);
  let count = 0;
  const propose = (matches: (key: string) => boolean): void => {
    for (const table of tables) {
      const from = fromText?.(table.name);
      for (const [position, key] of columnKeysOf(table).entries()) {
        if (!matches(key)) continue;
        if (count === maxColumns) {
          proposals.isCut = true;
          return;
        }
        proposeColumn(proposals, table.columns[position]!, 'unscoped', { origin: table.name, table, from });
        count++;
      }
    }
  };
  propose(key => key.startsWith(typed));
  if (typed !== '') propose(key => key.includes(typed) && !key.startsWith(typed));
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

/** The keys of the columns that the results of a query name without a qualifier. */
export function usedColumns({ columns }: SelectFrom): ReadonlySet<string> {
  const used = new Set<string>();
  for (const column of columns) {
    if (column.type !== 'ExprResultColumn') continue;
    walk(column.expr, ({ node, parent }) => {
      const isFunctionName = parent?.node.type === 'FunctionCallExpr' && parent.node.name === node;
      if (node.type === 'Id' && node.name !== '' && node.name !== marker && !isFunctionName) used.add(keyOf(node.name));
      return node.type !== 'Select' && used.size < maxUsedColumns;
    });
  }
  return used;
}

/** So many columns tell one table from all others. */
const maxUsedColumns = 20;

/** Whether a table has all of some columns. Without columns no table stands out. */
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
