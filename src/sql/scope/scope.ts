import type {
  AstNode,
  CreateTableStmt,
  CreateTriggerStmt,
  Expr,
  FromClause,
  Name,
  Select,
  SelectFrom,
  TableCallSelectTable,
  With,
} from 'sqlite3-parser';
import type { Visited } from '../parser/walk.ts';
import type { TableLookup } from '../tables/schemaTable.ts';
import { columnsOfSimpleSelect, sourcesOf } from './query.ts';
import { declaredSource, rowSource, targetSource, type Source } from './sources.ts';
import { TableNames } from './tableNames.ts';

interface ResultAlias {
  readonly name: Name;
  readonly expr: Expr;
}

/** The names that are visible at a node of a statement's tree. */
export interface Scope {
  /** The sources of columns of each query around the node, the innermost first. */
  readonly levels: readonly (readonly Source[])[];
  /** For each level, the aliases of the query's results that the node may use. */
  readonly aliases: readonly (readonly ResultAlias[])[];
  /** The tables that FROM may name. */
  readonly names: TableNames;
  /** The names of the query's own results that the node may use. */
  readonly results: readonly string[];
  readonly windows: readonly string[];
  /** The table that the statement changes or defines. */
  readonly target?: Source;
  /** All sources of the FROM around the node. Conditions and arguments in it see them, subqueries do not. */
  readonly fromSources?: readonly Source[];
}

export const scopeAt = (visited: Visited, schema: TableLookup): Scope => new StatementScopes(schema).at(visited);

/** The scopes in one statement's tree. The sources of each query are read once. */
export class StatementScopes {
  readonly #outermost: Scope;
  readonly #scopes = new Map<AstNode, Scope>();
  readonly #names = new Map<AstNode, TableNames>();
  readonly #sources = new Map<AstNode, readonly Source[]>();

  constructor(schema: TableLookup) {
    this.#outermost = { levels: [], aliases: [], names: new TableNames(schema), results: [], windows: [] };
  }

  at(visited: Visited): Scope {
    const path: Visited[] = [];
    let ancestor: Visited | undefined = visited;
    for (; ancestor && !this.#scopes.has(ancestor.node); ancestor = ancestor.parent) path.push(ancestor);
    let scope = ancestor ? this.#scopes.get(ancestor.node)! : this.#outermost;
    for (const { node, parent } of path.toReversed()) {
      if (parent) scope = this.#within(scope, parent.node, node);
      this.#scopes.set(node, scope);
    }
    return scope;
  }

  /** The scope in a child of `node`. */
  #within(scope: Scope, node: AstNode, child: AstNode): Scope {
    switch (node.type) {
      case 'Select':
        return this.#inSelect({ ...scope, names: this.#namesWithin(scope, node) }, node, child);
      case 'SelectFrom':
        return this.#inQuery(scope, node, child);
      case 'OnJoinConstraint':
      case 'UsingJoinConstraint':
        return withInnermost(scope, scope.fromSources ?? []);
      case 'TableCallSelectTable':
        return withInnermost(scope, sourcesBeside(node, scope));
      case 'SubSelectTable':
        // An alias hides the tables of a joined group, but not within the group.
        return node.alias ? { ...scope, fromSources: this.#sourcesOf(node.from, scope.names) } : scope;
      case 'UpdateStmt':
      case 'UpdateTriggerCmd': {
        const names = node.type === 'UpdateStmt' ? this.#namesWithin(scope, node) : scope.names;
        const target = targetSource(node.tblName, scope.names);
        const sources = [target, ...this.#sourcesOf(node.from, names)];
        if (child === node.from) return { ...withLevel(scope, []), fromSources: sources, names, target };
        const isReturning = node.type === 'UpdateStmt' && node.returning?.includes(child as never);
        return { ...withLevel(scope, isReturning ? [target] : sources), names, target };
      }
      case 'DeleteStmt':
      case 'DeleteTriggerCmd': {
        const names = node.type === 'DeleteStmt' ? this.#namesWithin(scope, node) : scope.names;
        const target = targetSource(node.tblName, scope.names);
        return { ...withLevel(scope, [target]), names, target };
      }
      case 'InsertStmt':
      case 'InsertTriggerCmd': {
        const names = node.type === 'InsertStmt' ? this.#namesWithin(scope, node) : scope.names;
        const target = targetSource(node.tblName, scope.names);
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
        return scopeInTable(scope, node);
      case 'DefaultColumnConstraint':
        // SQLite evaluates a default before there is a row.
        return { ...scope, levels: [], aliases: [] };
      case 'CreateTriggerStmt':
        return scopeInTrigger(scope, node);
      default:
        return scope;
    }
  }

  /** ORDER BY sees the sources and the results of the query, but only the results of a compound query. LIMIT sees neither. */
  #inSelect(scope: Scope, select: Select, child: AstNode): Scope {
    const query = select.select;
    if (!select.orderBy?.some(term => term === child) || query.type !== 'SelectFrom') return scope;
    if (select.compounds) {
      return { ...scope, results: columnsOfSimpleSelect(query, scope.names).map(({ name }) => name) };
    }
    return withQuery(scope, query, this.#sourcesOf(query.from, scope.names), resultAliases(query));
  }

  #inQuery(scope: Scope, query: SelectFrom, child: AstNode): Scope {
    const sources = this.#sourcesOf(query.from, scope.names);
    if (child === query.from) return { ...withLevel(scope, []), fromSources: sources, results: [] };
    const isResult = query.columns.some(column => column === child);
    return withQuery(scope, query, sources, isResult ? [] : resultAliases(query));
  }

  #namesWithin({ names }: Scope, node: AstNode & { readonly with: With | undefined }): TableNames {
    const within = this.#names.get(node) ?? names.within(node.with);
    this.#names.set(node, within);
    return within;
  }

  #sourcesOf(from: FromClause | undefined, names: TableNames): readonly Source[] {
    if (!from) return [];
    const sources = this.#sources.get(from) ?? sourcesOf(from, names);
    this.#sources.set(from, sources);
    return sources;
  }
}

/** Queries farther out are ignored. */
const maxLevels = 50;

const withLevel = (scope: Scope, sources: readonly Source[], aliases: readonly ResultAlias[] = []): Scope => ({
  ...scope,
  levels: [sources, ...scope.levels.slice(0, maxLevels)],
  aliases: [aliases, ...scope.aliases.slice(0, maxLevels)],
});

const withInnermost = (scope: Scope, sources: readonly Source[]): Scope => ({
  ...scope,
  levels: [sources, ...scope.levels.slice(1)],
});

/** The arguments of a table-valued function see all sources of FROM but the function itself. */
function sourcesBeside({ alias, tblName }: TableCallSelectTable, { fromSources = [] }: Scope): readonly Source[] {
  const ownAlias = alias?.name.text ?? tblName.objName.text;
  return fromSources.filter(source => source.alias !== ownAlias);
}

const withQuery = (
  scope: Scope,
  query: SelectFrom,
  sources: readonly Source[],
  aliases: readonly ResultAlias[],
): Scope => ({
  ...withLevel(scope, sources, aliases),
  results: aliases.map(({ name }) => name.text),
  windows: query.windowClause?.map(({ name }) => name.text) ?? [],
});

const resultAliases = ({ columns }: SelectFrom): ResultAlias[] =>
  columns.flatMap(column =>
    column.type === 'ExprResultColumn' && column.alias ? [{ name: column.alias.name, expr: column.expr }] : [],
  );

function scopeInTable(scope: Scope, { tblName, body }: CreateTableStmt): Scope {
  if (body.type !== 'ColumnsAndConstraintsCreateTableBody') return scope;
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
