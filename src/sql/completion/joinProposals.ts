import type { FromClause, JoinedSelectTable } from 'sqlite3-parser';
import type { Visited } from '../parser/walk.ts';
import type { Schema } from '../schema/schema.ts';
import { joinConditions } from '../scope/foreignKeys.ts';
import { joinSides } from '../scope/query.ts';
import type { Scope } from '../scope/scope.ts';
import { declaredSource, type Source } from '../scope/sources.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { quoteIdentifierIfNeeded, unquoted } from '../text/quoting.ts';
import { freeAlias } from './aliasProposals.ts';
import type { NamesRequest, Rank } from './proposals.ts';

interface Join {
  readonly from: FromClause;
  readonly join: JoinedSelectTable;
}

/** The join whose table or condition contains a node. */
export function joinAround(visited: Visited): Join | undefined {
  for (let inner = visited.parent; inner && inner.node.type !== 'Select'; inner = inner.parent) {
    const outer = inner.parent?.node;
    if (inner.node.type === 'JoinedSelectTable' && outer?.type === 'FromClause')
      return { from: outer, join: inner.node };
  }
  return undefined;
}

/** The keys of the tables that a foreign key connects with a table before the join around a node. */
export function relatedTables(visited: Visited, { names }: Scope, schema: Schema): ReadonlySet<string> {
  const join = joinAround(visited);
  if (!join) return new Set();
  const { before } = joinSides(join.from, join.join, names);
  const tablesBefore = new Set(before.flatMap(({ table }) => (table === undefined ? [] : [keyOf(table)])));
  const related = new Set<string>();
  for (const { name, foreignKeys } of schema.tables) {
    for (const { table } of foreignKeys) {
      if (tablesBefore.has(keyOf(name))) related.add(keyOf(table));
      if (tablesBefore.has(keyOf(table))) related.add(keyOf(name));
    }
  }
  return related;
}

/** Proposes the conditions by which foreign keys connect the two sides of a join. */
export function proposeJoinConditions(request: NamesRequest): void {
  const { proposals, name, scope } = request;
  const join = joinAround(name);
  if (!join) return;
  const { before, joined } = joinSides(join.from, join.join, scope.names);
  for (const joinedSource of joined) {
    for (const condition of conditionsBetween(joinedSource, before, request)) {
      proposals.addText('join', condition, 'join', { origin: 'foreign key' });
    }
  }
}

/** Proposes the related tables together with their conditions, after a JOIN that has no condition yet. */
export function proposeJoins(request: NamesRequest): void {
  const { proposals, name, scope, schema, context } = request;
  const join = joinAround(name);
  const next = context.tokens[context.index + 1]?.text.toUpperCase() ?? '';
  if (!join || context.previousToken !== 'JOIN' || next === 'ON' || next === 'USING' || next === 'AS') return;
  const { before } = joinSides(join.from, join.join, scope.names);
  const qualifiers = new Set(
    context.tokens.map(({ text }, index) => (context.tokens[index + 1]?.text === '.' ? keyOf(unquoted(text)) : '')),
  );
  for (const key of relatedTables(name, scope, schema)) {
    const table = schema.table(key);
    if (!table || before.some(({ alias }) => isSameName(alias, table.name))) continue;
    const tableName = quoteIdentifierIfNeeded(table.name);
    const propose = (source: Source, joined: string, rank: Rank): void => {
      for (const condition of conditionsBetween(source, before, request)) {
        const text = `${joined} ${proposals.inStatementCase('ON')} ${condition}`;
        proposals.addText('join', text, rank, { origin: 'foreign key' });
      }
    };
    const alias = freeAlias(table.name, scope);
    if (alias !== undefined) {
      const source = { ...declaredSource(table.name, table.columns), alias };
      // With an alias, the table's own name qualifies nothing.
      const rank = qualifiers.has(key) ? 'alias' : 'join';
      propose(source, `${tableName} ${proposals.inStatementCase('AS')} ${alias}`, rank);
    }
    propose(declaredSource(table.name, table.columns), tableName, 'mentioned');
  }
}

function conditionsBetween(joined: Source, before: readonly Source[], { schema, proposals }: NamesRequest): string[] {
  return joinConditions(joined, before, { schema, and: proposals.inStatementCase('AND') });
}
