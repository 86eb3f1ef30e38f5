import type { AstNode, QualifiedName } from 'sqlite3-parser';
import { builtInFunctions } from '../functions/builtInFunctions.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { pragmaNames } from '../effect/pragmas.ts';
import type { Schema } from '../schema/schema.ts';
import type { SchemaColumn, SchemaTable } from '../tables/schemaTable.ts';
import { systemTables } from '../tables/systemTables.ts';
import type { Scope } from '../scope/scope.ts';
import { sharedColumnKeys, type Source } from '../scope/sources.ts';
import type { Visited } from '../parser/walk.ts';
import { marker, type CursorContext } from './cursorContext.ts';
import { joinAround, proposeJoinConditions, relatedTables, sidesOf } from './joinProposals.ts';
import type { ProposalKind, Proposals, Rank } from './proposals.ts';

export interface NamesRequest {
  readonly proposals: Proposals;
  readonly context: CursorContext;
  /** The node that the typed word becomes. */
  readonly name: Visited;
  readonly scope: Scope;
  readonly schema: Schema;
}

/** Proposes the names that may stand at the cursor. Where the statement introduces a new name, there are none. */
export function proposeNames(request: NamesRequest): void {
  const { name, proposals, scope, schema } = request;
  const { node } = name;
  const parent = name.parent?.node;
  // A type may have several words, but a constraint mostly follows the first.
  if (node.type === 'Type') return proposeAll(proposals, 'type', types, node.name === marker ? 'column' : 'other');
  if (node.type === 'CollateExpr') return proposeAll(proposals, 'collation', collations);
  if (node.type === 'Id') return proposeInExpression(request);
  switch (parent?.type) {
    case 'QualifiedName':
      return proposeObjects(request, parent, name.parent!.parent);
    case 'QualifiedExpr': {
      const { schema: database, table, column } = parent;
      if (node === column) return proposeColumnsOf(request, table.text, database?.text);
      if (node === table && !database) return proposeSources(request);
      return;
    }
    case 'TableStarResultColumn':
      return proposeSources(request);
    case 'UsingJoinConstraint':
      return proposeSharedColumns(request, parent.columns);
    case 'InsertStmt':
      return proposeSettableColumns(request, parent.columns);
    case 'InsertTriggerCmd':
      return proposeSettableColumns(request, parent.colNames);
    case 'SetAssignment':
      return proposeSettableColumns(request, assignedColumns(name, parent.colNames));
    case 'UpdateOfTriggerEvent':
      return proposeTargetColumns(request, parent.columns);
    case 'DropColumnAlterTableBody':
    case 'DropColumnNotNullAlterTableBody':
    case 'SetColumnNotNullAlterTableBody':
      return proposeTargetColumns(request);
    case 'RenameColumnAlterTableBody':
      return node === parent.old ? proposeTargetColumns(request) : undefined;
    case 'IndexedColumn':
      if (node === parent.collationName) return proposeAll(proposals, 'collation', collations);
      return proposeKeyColumns(request, name.parent!.parent?.node);
    case 'CollateColumnConstraint':
      return proposeAll(proposals, 'collation', collations);
    case 'ForeignKeyClause':
    case 'CreateIndexStmt':
      return proposeTables(request, ({ kind }) => kind === 'table');
    case 'IndexedByIndexed':
      return proposeIndexesOrTriggers(proposals, 'index', schema.indexes);
    case 'NameOver':
    case 'Window':
      if (parent.type === 'Window' && node !== parent.base) break;
      return proposeAll(proposals, 'window', scope.windows);
    case 'CreateVirtualTableStmt':
      return proposeAll(proposals, 'module', ['fts5', 'rtree']);
    case 'VacuumStmt':
      return proposeAll(proposals, 'database', databases);
    case 'NameExpr':
      return proposePragmaValue(request, name.parent?.parent?.node, name.parent?.parent?.parent?.node);
    default:
  }
}

const types = ['INTEGER', 'TEXT', 'REAL', 'BLOB', 'NUMERIC', 'ANY'];
const collations = ['BINARY', 'NOCASE', 'RTRIM'];
const databases = ['main', 'temp'];

function proposeAll(proposals: Proposals, kind: ProposalKind, labels: readonly string[], rank: Rank = 'column'): void {
  for (const label of labels) proposals.addText(kind, label, rank);
}

function proposeIndexesOrTriggers(proposals: Proposals, kind: 'index' | 'trigger', objects: Schema['indexes']): void {
  for (const { name, table } of objects) proposals.addName(kind, name, 'column', { detail: table });
}

/** Proposes tables, indexes, triggers and pragmas by the statement or clause that `owner` is. */
function proposeObjects(request: NamesRequest, name: QualifiedName, owner: Visited | undefined): void {
  const { proposals, schema, context } = request;
  if (request.name.node === name.dbName) return proposeAll(proposals, 'database', databases);
  if (request.name.node !== name.objName) return;
  const isQualified = name.dbName !== undefined;
  switch (owner?.node.type) {
    case 'TableSelectTable':
    case 'InTableExpr':
    case 'TableCallSelectTable':
      proposeReadable(request, isQualified);
      break;
    case 'InsertStmt':
    case 'UpdateStmt':
    case 'DeleteStmt':
    case 'InsertTriggerCmd':
    case 'UpdateTriggerCmd':
    case 'DeleteTriggerCmd':
      proposeTables(request, table => table.kind !== 'view' || hasTrigger(schema, table));
      break;
    case 'AlterTableStmt':
    case 'DropTableStmt':
      return proposeTables(request, ({ kind }) => kind !== 'view');
    case 'DropViewStmt':
      return proposeTables(request, ({ kind }) => kind === 'view');
    case 'CreateTriggerStmt': {
      if (owner.node.tblName !== name) return;
      const targetKind = owner.node.time === 'InsteadOf' ? 'view' : 'table';
      return proposeTables(request, ({ kind }) => kind === targetKind);
    }
    case 'DropIndexStmt':
      return proposeIndexesOrTriggers(proposals, 'index', schema.indexes);
    case 'DropTriggerStmt':
      return proposeIndexesOrTriggers(proposals, 'trigger', schema.triggers);
    case 'AnalyzeStmt':
    case 'ReindexStmt':
      proposeTables(request, ({ kind }) => kind === 'table');
      return proposeIndexesOrTriggers(proposals, 'index', schema.indexes);
    case 'PragmaStmt':
      return proposeAll(proposals, 'pragma', pragmaNames);
    default:
      return;
  }
  if (!isQualified && context.previousToken !== '.') proposeAll(proposals, 'database', databases, 'other');
}

const hasTrigger = (schema: Schema, { name }: SchemaTable): boolean =>
  Array.from(schema.triggers).some(({ table }) => isSameName(table, name));

/** Proposes everything that FROM can read: common tables, tables, views and table-valued functions. */
function proposeReadable(request: NamesRequest, isQualified: boolean): void {
  const { proposals, scope, context } = request;
  if (!isQualified) {
    for (const { name } of scope.names.commonTables) proposals.addName('commonTable', name, 'column');
  }
  if (!context.isCall) proposeTables(request, () => true);
  for (const { name, kind } of systemTables.values()) {
    if (kind === 'function' && !isQualified) proposals.addName('tableFunction', name, 'hidden');
    else if (kind === 'table') proposals.addName('table', name, 'hidden');
  }
}

function proposeTables(
  { proposals, schema, scope, name }: NamesRequest,
  accepts: (table: SchemaTable) => boolean,
): void {
  const related = relatedTables(name, scope, schema);
  for (const table of schema.tables) {
    if (!accepts(table)) continue;
    const kind = table.kind === 'view' ? 'view' : 'table';
    proposals.addName(kind, table.name, related.has(keyOf(table.name)) ? 'related' : 'column');
  }
}

/** Proposes the columns behind `qualifier.`. The qualifier may be a table that FROM does not name yet. */
function proposeColumnsOf(request: NamesRequest, qualifier: string, database: string | undefined): void {
  const { proposals, scope, schema } = request;
  const sources = database === undefined ? scope.levels.flat() : [];
  const source = sources.find(({ alias }) => isSameName(alias, qualifier));
  const common =
    database === undefined ? scope.names.commonTables.find(({ name }) => isSameName(name, qualifier)) : undefined;
  // An alias hides the name of its table.
  if (!source && sources.some(({ table = '' }) => isSameName(table, qualifier))) return;
  const table = source ?? common ?? schema.table(qualifier);
  if (!table && databases.includes(qualifier.toLowerCase())) return proposeTables(request, () => true);
  for (const { name, type } of table?.columns ?? []) proposals.addName('column', name, 'column', { detail: type });
  for (const name of table?.hidden ?? []) proposals.addName('column', name, 'hidden');
}

/** Proposes the aliases and tables that may qualify a column. */
function proposeSources({ proposals, scope }: NamesRequest): void {
  for (const [depth, level] of scope.levels.entries()) {
    for (const { alias, table = '' } of level) {
      proposals.addName('alias', alias, depth === 0 ? 'alias' : 'outer', {
        detail: isSameName(alias, table) ? '' : table,
      });
    }
  }
}

/** Proposes the columns that both sides of a join have, for USING. */
function proposeSharedColumns({ proposals, name, scope }: NamesRequest, listed: readonly AstNode[]): void {
  const join = joinAround(name);
  if (!join) return;
  const { before, joined } = sidesOf(join, scope.names);
  const shared = sharedColumnKeys(before, joined);
  proposeColumns(
    proposals,
    joined.flatMap(({ columns }) => columns.filter(column => shared.has(keyOf(column.name)))),
    keysOf(listed, name.node),
  );
}

/** Proposes the columns of the table that the statement changes, except those that the list already has. */
function proposeTargetColumns({ proposals, scope, name }: NamesRequest, listed: readonly AstNode[] = []): void {
  proposeColumns(proposals, scope.target?.columns ?? [], keysOf(listed, name.node));
}

/** Proposes the columns of the same table that are not generated. */
function proposeSettableColumns(request: NamesRequest, listed: readonly AstNode[] | undefined): void {
  const { proposals, scope, name } = request;
  const columns = scope.target?.columns.filter(({ generated }) => !generated) ?? [];
  proposeColumns(proposals, columns, keysOf(listed ?? [], name.node));
}

function proposeColumns(proposals: Proposals, columns: readonly SchemaColumn[], listedKeys: ReadonlySet<string>): void {
  for (const { name, type } of columns) {
    if (!listedKeys.has(keyOf(name))) proposals.addName('column', name, 'column', { detail: type });
  }
}

/** The keys of the names in a list, without the one that is being typed. */
function keysOf(nodes: readonly AstNode[], typed: AstNode): Set<string> {
  return new Set(nodes.flatMap(node => (node.type === 'Name' && node !== typed ? [keyOf(node.text)] : [])));
}

/** All columns on the left side of the assignments around a name. */
function assignedColumns(name: Visited, own: readonly AstNode[]): readonly AstNode[] {
  const owner = name.parent?.parent?.node;
  const assigns = owner?.type === 'UpdateStmt' || owner?.type === 'UpdateTriggerCmd' || owner?.type === 'SetUpsertDo';
  return assigns ? owner.sets.flatMap(({ colNames }) => colNames) : own;
}

/** Proposes the columns of a foreign key: its own, or those that it references. */
function proposeKeyColumns(request: NamesRequest, owner: AstNode | undefined): void {
  const { proposals, name, schema, scope } = request;
  if (owner?.type === 'ForeignKeyTableConstraint') return proposeTargetColumns(request);
  if (owner?.type !== 'ForeignKeyClause') return;
  const target = owner.tblName.text;
  const columns = isSameName(target, scope.target?.table ?? '') ? scope.target?.columns : schema.table(target)?.columns;
  proposeColumns(
    proposals,
    columns ?? [],
    keysOf(
      (owner.columns ?? []).map(({ colName }) => colName),
      name.node,
    ),
  );
}

/** The grammar reads the value of a PRAGMA as a name. */
function proposePragmaValue(request: NamesRequest, body: AstNode | undefined, pragma: AstNode | undefined): void {
  const { proposals, schema } = request;
  if (body?.type === 'EqualsPragmaBody') return proposeAll(proposals, 'keyword', ['OFF']);
  if (body?.type !== 'CallPragmaBody' || pragma?.type !== 'PragmaStmt') return proposeInExpression(request);
  if (/^index_/i.test(pragma.name.objName.text)) return proposeIndexesOrTriggers(proposals, 'index', schema.indexes);
  proposeTables(request, () => true);
}

function proposeInExpression(request: NamesRequest): void {
  const { proposals, name, scope, context } = request;
  const parent = name.parent?.node;
  if (parent?.type === 'FunctionCallExpr' && parent.name === name.node) return proposeFunctions(proposals, scope);
  if (parent?.type === 'GeneratedColumnConstraint' && parent.typ === name.node) {
    return proposeAll(proposals, 'keyword', ['STORED', 'VIRTUAL']);
  }
  proposeAll(proposals, 'keyword', ['TRUE', 'FALSE'], 'keyword');
  if (parent?.type === 'DefaultColumnConstraint') return;
  if (context.isCall) return proposeFunctions(proposals, scope);
  if (parent?.type === 'OnJoinConstraint') proposeJoinConditions(request);
  for (const [depth, level] of scope.levels.entries()) proposeLevel(proposals, level, depth === 0 ? 'column' : 'outer');
  for (const result of scope.results) proposals.addName('column', result, 'column');
  proposeSources(request);
  proposeFunctions(proposals, scope);
}

/** Proposes the columns of one query level. A column name that several sources have is proposed with each of their aliases. */
function proposeLevel(proposals: Proposals, level: readonly Source[], rank: Rank): void {
  const sources = level.filter(({ qualifiedOnly }) => !qualifiedOnly);
  const counts = new Map<string, number>();
  for (const { columns, mergedColumns } of sources) {
    for (const { name } of columns) {
      const key = keyOf(name);
      if (!mergedColumns.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  for (const { alias, columns, hidden, mergedColumns } of sources) {
    for (const { name, type } of columns) {
      const key = keyOf(name);
      // USING and NATURAL show this column only once, with an earlier source.
      if (mergedColumns.has(key)) continue;
      const qualifier = counts.get(key) === 1 ? '' : alias;
      proposals.addName('column', name, rank, {
        detail: [alias, type].filter(part => part !== '').join(' · '),
        qualifier,
      });
    }
    if (sources.length === 1) for (const name of hidden) proposals.addName('column', name, 'hidden', { detail: alias });
  }
}

function proposeFunctions(proposals: Proposals, scope: Scope): void {
  const hasVirtualTable = scope.levels.some(level => level.some(({ kind }) => kind === 'virtual'));
  for (const { name, signatures } of builtInFunctions) {
    const [{ kind, label } = { kind: 'table', label: '' }] = signatures;
    const isOperator = !/^[a-z]/.test(name);
    if (kind === 'table' || (kind === 'auxiliary' && !hasVirtualTable) || isOperator) continue;
    // Functions without parentheses are keywords, which the grammar proposes.
    const isKeyword = label === name;
    if (!isKeyword) proposals.addText('function', name, 'function', { detail: label });
  }
}
