import type { FromClause, JoinedSelectTable } from 'sqlite3-parser';
import { isSameName, keyOf } from '../text/names.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import type { Schema } from '../schema/schema.ts';
import type { ForeignKey } from '../tables/schemaTable.ts';
import type { Scope } from '../scope/scope.ts';
import { sourcesOf } from '../scope/query.ts';
import type { Source } from '../scope/sources.ts';
import type { TableNames } from '../scope/tableNames.ts';
import type { Visited } from '../parser/walk.ts';
import type { Proposals } from './proposals.ts';

export interface Join {
  readonly from: FromClause;
  readonly join: JoinedSelectTable;
}

/** The join whose table or condition a place belongs to. */
export function joinAround(place: Visited): Join | undefined {
  for (let up = place.parent; up && up.node.type !== 'Select'; up = up.parent) {
    const from = up.parent?.node;
    if (up.node.type === 'JoinedSelectTable' && from?.type === 'FromClause') return { from, join: up.node };
  }
  return undefined;
}

/** What a join joins: what stands before it, and its own table. */
export function sidesOf({ from, join }: Join, names: TableNames): { before: Source[]; joined: Source[] } {
  const joins = from.joins ?? [];
  const index = joins.indexOf(join);
  const before = sourcesOf({ ...from, joins: joins.slice(0, index) }, names);
  const both = sourcesOf({ ...from, joins: joins.slice(0, index + 1) }, names);
  return { before, joined: both.slice(before.length) };
}

/** The tables, in lower case, that a foreign key leads to or from what a join stands behind. */
export function relatedTables(place: Visited, { names }: Scope, schema: Schema): ReadonlySet<string> {
  const join = joinAround(place);
  if (!join) return new Set();
  const tables = new Set(
    sidesOf(join, names).before.flatMap(({ table }) => (table === undefined ? [] : [keyOf(table)])),
  );
  const related = new Set<string>();
  for (const { name, foreignKeys } of schema.tables) {
    for (const { table } of foreignKeys) {
      if (tables.has(keyOf(name))) related.add(keyOf(table));
      if (tables.has(keyOf(table))) related.add(keyOf(name));
    }
  }
  return related;
}

/** Proposes the conditions that foreign keys make of a join. */
export function proposeJoinConditions(request: {
  readonly proposals: Proposals;
  readonly name: Visited;
  readonly scope: Scope;
  readonly schema: Schema;
}): void {
  const { proposals, name, scope, schema } = request;
  const join = joinAround(name);
  if (!join) return;
  const { before, joined } = sidesOf(join, scope.names);
  for (const near of joined) {
    for (const far of before) {
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        for (const key of keysOf(from, schema)) {
          const condition = conditionOf(key, from, to, schema);
          if (condition !== undefined) proposals.text('join', condition, 'join');
        }
      }
    }
  }
}

const keysOf = ({ table }: Source, schema: Schema): readonly ForeignKey[] =>
  (table === undefined ? undefined : schema.table(table))?.foreignKeys ?? [];

function conditionOf(
  { columns, table, references }: ForeignKey,
  from: Source,
  to: Source,
  schema: Schema,
): string | undefined {
  if (!isSameName(to.table ?? '', table)) return undefined;
  const targets = references.length > 0 ? references : (schema.table(table)?.primaryKey ?? []);
  if (targets.length !== columns.length) return undefined;
  return columns.map((name, index) => `${column(from, name)} = ${column(to, targets[index]!)}`).join(' AND ');
}

const column = ({ alias }: Source, name: string): string =>
  `${quoteIdentifierIfNeeded(alias)}.${quoteIdentifierIfNeeded(name)}`;
