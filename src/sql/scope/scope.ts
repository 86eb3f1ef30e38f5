import type { AstNode, CreateTableStmt, CreateTriggerStmt, Select, SelectFrom } from 'sqlite3-parser';
import type { TableLookup } from '../tables/schemaTable.ts';
import type { Visited } from '../parser/walk.ts';
import { columnsOfOne, sourcesOf, tableNames } from './query.ts';
import { declaredSource, rowSource, targetSource, type Source } from './sources.ts';
import type { TableNames } from './tableNames.ts';

/** What can be named at a place in a statement. */
export interface Scope {
  /** What columns may come from, the innermost query first. */
  readonly levels: readonly (readonly Source[])[];
  /** What tables' names stand for. */
  readonly names: TableNames;
  /** Names that the query gives its own results and that may be used here as well. */
  readonly results: readonly string[];
  readonly windows: readonly string[];
  /** The table that the statement around changes, or is about. */
  readonly target?: Source;
}

/** What is visible from a node of a statement's tree. */
export function scopeAt(place: Visited, schema: TableLookup): Scope {
  const path = pathTo(place);
  let scope: Scope = { levels: [], names: tableNames(schema), results: [], windows: [] };
  for (const [index, node] of path.entries()) {
    const next = path[index + 1];
    if (next) scope = entered(scope, node, next, { path, from: index + 2 });
  }
  return scope;
}

function pathTo(place: Visited): AstNode[] {
  const path: AstNode[] = [];
  for (let up: Visited | undefined = place; up; up = up.parent) path.push(up.node);
  return path.toReversed();
}

/** Where a path leads on to. */
interface Way {
  readonly path: readonly AstNode[];
  readonly from: number;
}

/** The scope within `node`, on the way to its child `next` and on to `further`. */
function entered(scope: Scope, node: AstNode, next: AstNode, further: Way): Scope {
  switch (node.type) {
    case 'Select':
      return inSelect({ ...scope, names: scope.names.within(node.with) }, node, next);
    case 'SelectFrom':
      return inQuery(scope, node, next, further);
    case 'UpdateStmt':
    case 'UpdateTriggerCmd': {
      const names = node.type === 'UpdateStmt' ? scope.names.within(node.with) : scope.names;
      const target = targetSource(node.tblName, names);
      if (next === node.from) {
        const level = seenInFrom([target, ...sourcesOf(node.from, names)], further);
        return { ...withLevel(scope, level), names, target };
      }
      const returns = node.type === 'UpdateStmt' && node.returning?.includes(next as never);
      const level = returns ? [target] : [target, ...sourcesOf(node.from, names)];
      return { ...withLevel(scope, level), names, target };
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
      const returns = node.type === 'InsertStmt' && node.returning?.includes(next as never);
      return { ...(returns ? withLevel(scope, [target]) : scope), names, target };
    }
    case 'Upsert': {
      const { target } = scope;
      if (!target) return scope;
      return withLevel(scope, next.type === 'UpsertIndex' ? [target] : [target, rowSource('excluded', target)]);
    }
    case 'CreateIndexStmt':
    case 'AlterTableStmt': {
      const { tblName } = node;
      const name = tblName.type === 'Name' ? { type: 'QualifiedName' as const, objName: tblName } : tblName;
      const target = targetSource({ dbName: undefined, alias: undefined, span: tblName.span, ...name }, scope.names);
      return { ...withLevel(scope, [target]), target };
    }
    case 'CreateTableStmt':
      return inTable(scope, node, further);
    case 'CreateTriggerStmt':
      return inTrigger(scope, node);
    default:
      return scope;
  }
}

/** Queries around a query that are looked at, the nearest first. */
const mostLevels = 50;

const withLevel = (scope: Scope, level: readonly Source[]): Scope => ({
  ...scope,
  levels: [level, ...scope.levels.slice(0, mostLevels)],
});

/** ORDER BY sees what the query selects from and what it gives; behind a UNION only what it gives. LIMIT sees neither. */
function inSelect(scope: Scope, select: Select, next: AstNode): Scope {
  const first = select.select;
  if (!select.orderBy?.some(term => term === next) || first.type !== 'SelectFrom') return scope;
  const results = columnsOfOne(first, scope.names).map(({ name }) => name);
  if (select.compounds) return { ...scope, results };
  const sources = sourcesOf(first.from, scope.names);
  return { ...withLevel(scope, sources), results: ownNames(first), windows: windowsOf(first) };
}

function inQuery(scope: Scope, query: SelectFrom, next: AstNode, further: Way): Scope {
  if (next === query.from) {
    const level = seenInFrom(sourcesOf(query.from, scope.names), further);
    return { ...withLevel(scope, level), results: [] };
  }
  const results = query.columns.some(column => column === next) ? [] : ownNames(query);
  return { ...withLevel(scope, sourcesOf(query.from, scope.names)), results, windows: windowsOf(query) };
}

const ownNames = ({ columns }: SelectFrom): string[] =>
  columns.flatMap(column => (column.type === 'ExprResultColumn' && column.alias ? [column.alias.name.text] : []));

const windowsOf = ({ windowClause }: SelectFrom): string[] => windowClause?.map(({ name }) => name.text) ?? [];

/**
 * Within FROM, the conditions of joins see the other tables, and the arguments of a function all but its own rows. A
 * subquery sees none.
 */
function seenInFrom(sources: readonly Source[], further: Way): readonly Source[] {
  const first = nodeOnWay(further, ({ type }) => joinParts.has(type));
  if (first?.type !== 'TableCallSelectTable') return first && first.type !== 'SelectSelectTable' ? sources : [];
  const own = first.alias?.name.text ?? first.tblName.objName.text;
  return sources.filter(({ alias }) => alias !== own);
}

const joinParts = new Set(['OnJoinConstraint', 'UsingJoinConstraint', 'TableCallSelectTable', 'SelectSelectTable']);

function nodeOnWay({ path, from }: Way, fits: (node: AstNode) => boolean): AstNode | undefined {
  for (let index = from; index < path.length; index++) if (fits(path[index]!)) return path[index];
  return undefined;
}

/** A column's default is made before there is a row. */
function inTable(scope: Scope, { tblName, body }: CreateTableStmt, further: Way): Scope {
  if (body.type !== 'ColumnsAndConstraintsCreateTableBody') return scope;
  if (nodeOnWay(further, ({ type }) => type === 'DefaultColumnConstraint')) return scope;
  const columns = body.columns.map(({ colName, colType }) => ({ name: colName.text, type: colType?.name ?? '' }));
  const target = declaredSource(tblName.objName.text, columns);
  return { ...withLevel(scope, [target]), target };
}

function inTrigger(scope: Scope, { tblName, event }: CreateTriggerStmt): Scope {
  const target = targetSource(tblName, scope.names);
  const rows: Source[] = [];
  if (event.type !== 'DeleteTriggerEvent') rows.push(rowSource('NEW', target));
  if (event.type !== 'InsertTriggerEvent') rows.push(rowSource('OLD', target));
  return { ...withLevel(scope, rows), target };
}
