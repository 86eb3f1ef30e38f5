import type { AstNode, QualifiedName } from 'sqlite3-parser';
import { catalogue } from '../functions/builtInFunctions.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { pragmaNames } from '../effect/pragmas.ts';
import type { Schema } from '../schema/schema.ts';
import type { SchemaColumn, SchemaTable } from '../tables/schemaTable.ts';
import { systemTables } from '../tables/systemTables.ts';
import type { Scope } from '../scope/scope.ts';
import { sharedColumns, type Source } from '../scope/sources.ts';
import type { Visited } from '../parser/walk.ts';
import { joinAround, proposeJoinConditions, relatedTables, sidesOf } from './joins.ts';
import { marker, type TypedPlace } from './place.ts';
import type { ProposalKind, Proposals, Rank } from './proposals.ts';

export interface NamesRequest {
  readonly proposals: Proposals;
  readonly place: TypedPlace;
  /** The node that the typed word becomes. */
  readonly name: Visited;
  readonly scope: Scope;
  readonly schema: Schema;
}

/** Proposes what may be named where the typed word stands. Where a new name is made up, that is nothing. */
export function proposeNames(request: NamesRequest): void {
  const { name, proposals, scope, schema } = request;
  const node = name.node;
  const parent = name.parent?.node;
  // Behind a type another word of its name could stand, but a constraint is what mostly follows.
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
      return proposeShared(request, parent.columns);
    case 'InsertStmt':
      return proposeSettable(request, parent.columns);
    case 'InsertTriggerCmd':
      return proposeSettable(request, parent.colNames);
    case 'SetAssignment':
      return proposeSettable(request, assignedBeside(name, parent.colNames));
    case 'UpdateOfTriggerEvent':
      return proposeTarget(request, parent.columns);
    case 'DropColumnAlterTableBody':
    case 'DropColumnNotNullAlterTableBody':
    case 'SetColumnNotNullAlterTableBody':
      return proposeTarget(request);
    case 'RenameColumnAlterTableBody':
      return node === parent.old ? proposeTarget(request) : undefined;
    case 'IndexedColumn':
      if (node === parent.collationName) return proposeAll(proposals, 'collation', collations);
      return proposeKeyColumns(request, name.parent!.parent?.node);
    case 'CollateColumnConstraint':
      return proposeAll(proposals, 'collation', collations);
    case 'ForeignKeyClause':
    case 'CreateIndexStmt':
      return proposeTables(request, ({ kind }) => kind === 'table');
    case 'IndexedByIndexed':
      return proposeParts(proposals, 'index', schema.indexes);
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
  for (const label of labels) proposals.text(kind, label, rank);
}

function proposeParts(proposals: Proposals, kind: 'index' | 'trigger', parts: Schema['indexes']): void {
  for (const { name, table } of parts) proposals.name(kind, name, 'column', { detail: table });
}

/** What stands where a statement names something that the database holds. */
function proposeObjects(request: NamesRequest, name: QualifiedName, owner: Visited | undefined): void {
  const { proposals, schema, place } = request;
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
      const wanted = owner.node.time === 'InsteadOf' ? 'view' : 'table';
      return proposeTables(request, ({ kind }) => kind === wanted);
    }
    case 'DropIndexStmt':
      return proposeParts(proposals, 'index', schema.indexes);
    case 'DropTriggerStmt':
      return proposeParts(proposals, 'trigger', schema.triggers);
    case 'AnalyzeStmt':
    case 'ReindexStmt':
      proposeTables(request, ({ kind }) => kind === 'table');
      return proposeParts(proposals, 'index', schema.indexes);
    case 'PragmaStmt':
      return proposeAll(proposals, 'pragma', pragmaNames);
    default:
      return;
  }
  if (!isQualified && place.before !== '.') proposeAll(proposals, 'database', databases, 'other');
}

const hasTrigger = (schema: Schema, { name }: SchemaTable): boolean =>
  Array.from(schema.triggers).some(({ table }) => isSameName(table, name));

/** Everything that FROM can read: what WITH gives, tables and views, and functions that give rows. */
function proposeReadable(request: NamesRequest, isQualified: boolean): void {
  const { proposals, scope, place } = request;
  if (!isQualified) {
    for (const { name } of scope.names.commonTables) proposals.name('commonTable', name, 'column');
  }
  if (!place.isCall) proposeTables(request, () => true);
  for (const { name, kind } of systemTables.values()) {
    if (kind === 'function' && !isQualified) proposals.name('tableFunction', name, 'hidden');
    else if (kind === 'table') proposals.name('table', name, 'hidden');
  }
}

function proposeTables({ proposals, schema, scope, name }: NamesRequest, fits: (table: SchemaTable) => boolean): void {
  const related = relatedTables(name, scope, schema);
  for (const table of schema.tables) {
    if (!fits(table)) continue;
    const kind = table.kind === 'view' ? 'view' : 'table';
    proposals.name(kind, table.name, related.has(keyOf(table.name)) ? 'related' : 'column');
  }
}

/** The columns behind `qualifier.`, which may stand for a table that FROM does not name yet. */
function proposeColumnsOf(request: NamesRequest, qualifier: string, database: string | undefined): void {
  const { proposals, scope, schema } = request;
  const sources = database === undefined ? scope.levels.flat() : [];
  const source = sources.find(({ alias }) => isSameName(alias, qualifier));
  const common =
    database === undefined ? scope.names.commonTables.find(({ name }) => isSameName(name, qualifier)) : undefined;
  // A table that goes by another name here is no longer known by its own.
  if (!source && sources.some(({ table = '' }) => isSameName(table, qualifier))) return;
  const found = source ?? common ?? schema.table(qualifier);
  if (!found && databases.includes(qualifier.toLowerCase())) return proposeTables(request, () => true);
  for (const { name, type } of found?.columns ?? []) proposals.name('column', name, 'column', { detail: type });
  for (const name of found?.hidden ?? []) proposals.name('column', name, 'hidden');
}

/** Names that a column's can follow behind a dot. */
function proposeSources({ proposals, scope }: NamesRequest): void {
  for (const [depth, level] of scope.levels.entries()) {
    for (const { alias, table = '' } of level) {
      proposals.name('alias', alias, depth === 0 ? 'alias' : 'outer', {
        detail: isSameName(alias, table) ? '' : table,
      });
    }
  }
}

/** The columns that both sides of a join have. */
function proposeShared({ proposals, name, scope }: NamesRequest, listed: readonly AstNode[]): void {
  const join = joinAround(name);
  if (!join) return;
  const { before, joined } = sidesOf(join, scope.names);
  const shared = sharedColumns(before, joined);
  proposeColumns(
    proposals,
    joined.flatMap(({ columns }) => columns.filter(column => shared.has(keyOf(column.name)))),
    namesIn(listed, name.node),
  );
}

/** The columns of the table that the statement changes, but for those that are listed already. */
function proposeTarget({ proposals, scope, name }: NamesRequest, listed: readonly AstNode[] = []): void {
  proposeColumns(proposals, scope.target?.columns ?? [], namesIn(listed, name.node));
}

/** Those of them that can be given a value. */
function proposeSettable(request: NamesRequest, listed: readonly AstNode[] | undefined): void {
  const { proposals, scope, name } = request;
  const columns = scope.target?.columns.filter(({ generated }) => !generated) ?? [];
  proposeColumns(proposals, columns, namesIn(listed ?? [], name.node));
}

function proposeColumns(proposals: Proposals, columns: readonly SchemaColumn[], taken: ReadonlySet<string>): void {
  for (const { name, type } of columns) {
    if (!taken.has(keyOf(name))) proposals.name('column', name, 'column', { detail: type });
  }
}

function namesIn(nodes: readonly AstNode[], besides: AstNode): Set<string> {
  return new Set(nodes.flatMap(node => (node.type === 'Name' && node !== besides ? [keyOf(node.text)] : [])));
}

/** All columns that the assignments around give a value. */
function assignedBeside(name: Visited, own: readonly AstNode[]): readonly AstNode[] {
  const owner = name.parent?.parent?.node;
  const assigns = owner?.type === 'UpdateStmt' || owner?.type === 'UpdateTriggerCmd' || owner?.type === 'SetUpsertDo';
  return assigns ? owner.sets.flatMap(({ colNames }) => colNames) : own;
}

/** The columns of a foreign key, on either of its ends. */
function proposeKeyColumns(request: NamesRequest, owner: AstNode | undefined): void {
  const { proposals, name, schema, scope } = request;
  if (owner?.type === 'ForeignKeyTableConstraint') return proposeTarget(request);
  if (owner?.type !== 'ForeignKeyClause') return;
  const target = owner.tblName.text;
  const columns = isSameName(target, scope.target?.table ?? '') ? scope.target?.columns : schema.table(target)?.columns;
  proposeColumns(
    proposals,
    columns ?? [],
    namesIn(
      (owner.columns ?? []).map(({ colName }) => colName),
      name.node,
    ),
  );
}

/** A pragma takes its values as names. */
function proposePragmaValue(request: NamesRequest, body: AstNode | undefined, pragma: AstNode | undefined): void {
  const { proposals, schema } = request;
  if (body?.type === 'EqualsPragmaBody') return proposeAll(proposals, 'keyword', ['OFF']);
  if (body?.type !== 'CallPragmaBody' || pragma?.type !== 'PragmaStmt') return proposeInExpression(request);
  if (/^index_/i.test(pragma.name.objName.text)) return proposeParts(proposals, 'index', schema.indexes);
  proposeTables(request, () => true);
}

function proposeInExpression(request: NamesRequest): void {
  const { proposals, name, scope, place } = request;
  const parent = name.parent?.node;
  if (parent?.type === 'FunctionCallExpr' && parent.name === name.node) return proposeFunctions(proposals, scope);
  if (parent?.type === 'GeneratedColumnConstraint' && parent.typ === name.node) {
    return proposeAll(proposals, 'keyword', ['STORED', 'VIRTUAL']);
  }
  proposeAll(proposals, 'keyword', ['TRUE', 'FALSE'], 'keyword');
  if (parent?.type === 'DefaultColumnConstraint') return;
  if (place.isCall) return proposeFunctions(proposals, scope);
  if (parent?.type === 'OnJoinConstraint') proposeJoinConditions(request);
  for (const [depth, level] of scope.levels.entries()) proposeLevel(proposals, level, depth === 0 ? 'column' : 'outer');
  for (const result of scope.results) proposals.name('column', result, 'column');
  proposeSources(request);
  proposeFunctions(proposals, scope);
}

/** A column that several tables have is proposed once for each of them, with the table's name before it. */
function proposeLevel(proposals: Proposals, level: readonly Source[], rank: Rank): void {
  const sources = level.filter(({ qualifiedOnly }) => !qualifiedOnly);
  const counts = new Map<string, number>();
  for (const { columns, merged } of sources) {
    for (const { name } of columns) {
      const key = keyOf(name);
      if (!merged.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  for (const { alias, columns, hidden, merged } of sources) {
    for (const { name, type } of columns) {
      const key = keyOf(name);
      if (merged.has(key)) continue;
      const qualifier = counts.get(key) === 1 ? '' : alias;
      proposals.name('column', name, rank, {
        detail: [alias, type].filter(part => part !== '').join(' · '),
        qualifier,
      });
    }
    if (sources.length === 1) for (const name of hidden) proposals.name('column', name, 'hidden', { detail: alias });
  }
}

function proposeFunctions(proposals: Proposals, scope: Scope): void {
  const hasText = scope.levels.some(level => level.some(({ kind }) => kind === 'virtual'));
  for (const { name, signatures } of catalogue) {
    const [{ kind, label } = { kind: 'table', label: '' }] = signatures;
    if (kind === 'table' || (kind === 'auxiliary' && !hasText) || !/^[a-z]/.test(name)) continue;
    // Those without parentheses are keywords, which the grammar proposes.
    if (label !== name) proposals.text('function', name, 'function', label);
  }
}
