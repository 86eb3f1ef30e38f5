import type { AstNode, CreateTableStmt, CreateTriggerStmt, Select, SelectFrom } from 'sqlite3-parser';
import type { Visited } from '../parser/walk.ts';
import type { TableLookup } from '../tables/schemaTable.ts';
import { columnsOfSimpleSelect, sourcesOf, tableNames } from './query.ts';
import { declaredSource, rowSource, targetSource, type Source } from './sources.ts';
import type { TableNames } from './tableNames.ts';

/** The names that are visible at a node of a statement's tree. */
export interface Scope {
  /** The sources of columns of each query around the node, the innermost first. */
  readonly levels: readonly (readonly Source[])[];
  /** The tables that FROM may name. */
  readonly names: TableNames;
  /** Aliases of the query's own results, where they may be used. */
  readonly results: readonly string[];
  readonly windows: readonly string[];
  /** The table that the statement changes or defines. */
  readonly target?: Source;
}

export function scopeAt(visited: Visited, schema: TableLookup): Scope {
  const path = pathTo(visited);
  let scope: Scope = { levels: [], names: tableNames(schema), results: [], windows: [] };
  for (const [index, node] of path.entries()) {
    const child = path[index + 1];
    if (child) scope = scopeWithin(scope, node, child, { path, start: index + 2 });
  }
  return scope;
}

/** The nodes from the root to a node. */
function pathTo(visited: Visited): AstNode[] {
  const path: AstNode[] = [];
  for (let ancestor: Visited | undefined = visited; ancestor; ancestor = ancestor.parent) path.push(ancestor.node);
  return path.toReversed();
}

/** The rest of a path below a node. A copy at each node of a deep tree would take quadratic time. */
interface PathBelow {
  readonly path: readonly AstNode[];
  readonly start: number;
}

function findBelow({ path, start }: PathBelow, matches: (node: AstNode) => boolean): AstNode | undefined {
  for (let index = start; index < path.length; index++) if (matches(path[index]!)) return path[index];
  return undefined;
}

/** The scope in a child of `node`. */
function scopeWithin(scope: Scope, node: AstNode, child: AstNode, below: PathBelow): Scope {
  switch (node.type) {
    case 'Select':
      return scopeInSelect({ ...scope, names: scope.names.within(node.with) }, node, child);
    case 'SelectFrom':
      return scopeInQuery(scope, node, child, below);
    case 'UpdateStmt':
    case 'UpdateTriggerCmd': {
      const names = node.type === 'UpdateStmt' ? scope.names.within(node.with) : scope.names;
      const target = targetSource(node.tblName, names);
      const sources = [target, ...sourcesOf(node.from, names)];
      if (child === node.from) {
        return { ...withLevel(scope, visibleInFrom(sources, below)), names, target };
      }
      const isReturning = node.type === 'UpdateStmt' && node.returning?.includes(child as never);
      return { ...withLevel(scope, isReturning ? [target] : sources), names, target };
    }
    case 'DeleteStmt':
    case 'DeleteTriggerCmd': {
      const names = node.type === 'DeleteStmt' ? scope.names.within(node.with) : scope.names;
      const target = targetSource(node.tblName, names);
      return { ...withLevel(scope, [target]), names, target };
    }
    case 'InsertStmt':
    case 'InsertTriggerCmd': {
      const names = node.type === 'InsertStmt' ? scope.names.within(node.with) : scope.names;
      const target = targetSource(node.tblName, names);
      const isReturning = node.type === 'InsertStmt' && node.returning?.includes(child as never);
      return { ...(isReturning ? withLevel(scope, [target]) : scope), names, target };
    }
    case 'Upsert': {
      const { target } = scope;
      if (!target) return scope;
      return withLevel(scope, child.type === 'UpsertIndex' ? [target] : [target, rowSource('excluded', target)]);
    }
    case 'CreateIndexStmt':
    case 'AlterTableStmt': {
      const { tblName } = node;
      const name = tblName.type === 'Name' ? { type: 'QualifiedName' as const, objName: tblName } : tblName;
      const target = targetSource({ dbName: undefined, alias: undefined, span: tblName.span, ...name }, scope.names);
      return { ...withLevel(scope, [target]), target };
    }
    case 'CreateTableStmt':
      return scopeInTable(scope, node, below);
    case 'CreateTriggerStmt':
      return scopeInTrigger(scope, node);
    default:
      return scope;
  }
}

/** More queries around a query are ignored. */
const maxLevels = 50;

const withLevel = (scope: Scope, sources: readonly Source[]): Scope => ({
  ...scope,
  levels: [sources, ...scope.levels.slice(0, maxLevels)],
});

/** ORDER BY sees the sources and the results of the query, but only the results of a compound query. LIMIT sees neither. */
function scopeInSelect(scope: Scope, select: Select, child: AstNode): Scope {
  const query = select.select;
  if (!select.orderBy?.some(term => term === child) || query.type !== 'SelectFrom') return scope;
  if (select.compounds) {
    return { ...scope, results: columnsOfSimpleSelect(query, scope.names).map(({ name }) => name) };
  }
  const sources = sourcesOf(query.from, scope.names);
  return { ...withLevel(scope, sources), results: resultAliases(query), windows: windowNames(query) };
}

function scopeInQuery(scope: Scope, query: SelectFrom, child: AstNode, below: PathBelow): Scope {
  const sources = sourcesOf(query.from, scope.names);
  if (child === query.from) return { ...withLevel(scope, visibleInFrom(sources, below)), results: [] };
  const isResult = query.columns.some(column => column === child);
  return {
    ...withLevel(scope, sources),
    results: isResult ? [] : resultAliases(query),
    windows: windowNames(query),
  };
}

const resultAliases = ({ columns }: SelectFrom): string[] =>
  columns.flatMap(column => (column.type === 'ExprResultColumn' && column.alias ? [column.alias.name.text] : []));

const windowNames = ({ windowClause }: SelectFrom): string[] => windowClause?.map(({ name }) => name.text) ?? [];

/**
 * The sources that are visible within FROM. The condition of a join sees all of them, the arguments of a table-valued
 * function see all but the function itself, and a subquery sees none.
 */
function visibleInFrom(sources: readonly Source[], below: PathBelow): readonly Source[] {
  const part = findBelow(below, ({ type }) => fromParts.has(type));
  if (!part || part.type === 'SelectSelectTable') return [];
  if (part.type !== 'TableCallSelectTable') return sources;
  const ownAlias = part.alias?.name.text ?? part.tblName.objName.text;
  return sources.filter(({ alias }) => alias !== ownAlias);
}

const fromParts = new Set(['OnJoinConstraint', 'UsingJoinConstraint', 'TableCallSelectTable', 'SelectSelectTable']);

/** Constraints see the columns of the table. DEFAULT does not, because SQLite evaluates it before there is a row. */
function scopeInTable(scope: Scope, { tblName, body }: CreateTableStmt, below: PathBelow): Scope {
  if (body.type !== 'ColumnsAndConstraintsCreateTableBody') return scope;
  if (findBelow(below, ({ type }) => type === 'DefaultColumnConstraint')) return scope;
  const columns = body.columns.map(({ colName, colType }) => ({ name: colName.text, type: colType?.name ?? '' }));
  const target = declaredSource(tblName.objName.text, columns);
  return { ...withLevel(scope, [target]), target };
}

function scopeInTrigger(scope: Scope, { tblName, event }: CreateTriggerStmt): Scope {
  const target = targetSource(tblName, scope.names);
  const rows: Source[] = [];
  if (event.type !== 'DeleteTriggerEvent') rows.push(rowSource('NEW', target));
  if (event.type !== 'InsertTriggerEvent') rows.push(rowSource('OLD', target));
  return { ...withLevel(scope, rows), target };
}
