import type { AstNode } from 'sqlite3-parser';
import { joinSides } from '../scope/query.ts';
import { sharedColumnKeys } from '../scope/sources.ts';
import type { SchemaColumn, SchemaTable } from '../tables/schemaTable.ts';
import type { Visited } from '../parser/walk.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { proposeAlias } from './aliasProposals.ts';
import { proposeColumnList, settableColumns } from './columnLists.ts';
import { proposeColumn } from './columnProposal.ts';
import { marker } from './cursorContext.ts';
import { proposeColumnsOf, proposeInExpression, proposeSources } from './expressionProposals.ts';
import { joinAround } from './joinProposals.ts';
import type { NamesRequest, Rank } from './proposals.ts';
import { databases, proposeAll, proposeIndexesOrTriggers, proposeObjects, proposeTables } from './tableProposals.ts';

/** Proposes the names that fit at the cursor. None fits where the statement introduces a new name. */
export function proposeNames(request: NamesRequest): void {
  const { name, proposals, scope, schema } = request;
  const { node } = name;
  const parent = name.parent?.node;
  // A type may have several words, but a constraint mostly follows the first.
  if (node.type === 'Type') return proposeWords(request, 'type', types, node.name === marker ? 'column' : 'other');
  if (node.type === 'Id') return proposeInExpression(request);
  if (node.type === 'CollateExpr') return proposeWords(request, 'collation', collations);
  switch (parent?.type) {
    case 'QualifiedName':
      return proposeObjects(request, parent, name.parent!.parent);
    case 'QualifiedExpr': {
      const { schema: database, table, column } = parent;
      if (node === column) return proposeColumnsOf(request, table.text, database?.text);
      if (node === table && !database) return proposeSources(request);
      return;
    }
    case 'AsAs':
    case 'ElidedAs':
      return proposeAlias(request);
    case 'TableStarResultColumn':
      return proposeSources(request);
    case 'UsingJoinConstraint':
      return proposeSharedColumns(request, parent.columns);
    case 'InsertStmt':
      return proposeInsertColumns(request, parent.columns);
    case 'InsertTriggerCmd':
      return proposeInsertColumns(request, parent.colNames);
    case 'SetAssignment':
      return proposeColumns(
        request,
        settableColumns(scope),
        assignedColumns(name, parent.colNames),
        targetTable(request),
      );
    case 'UpdateOfTriggerEvent':
      return proposeTargetColumns(request, parent.columns);
    case 'DropColumnAlterTableBody':
    case 'DropColumnNotNullAlterTableBody':
    case 'SetColumnNotNullAlterTableBody':
      return proposeTargetColumns(request);
    case 'RenameColumnAlterTableBody':
      return node === parent.old ? proposeTargetColumns(request) : undefined;
    case 'IndexedColumn':
      if (node === parent.collationName) return proposeWords(request, 'collation', collations);
      return proposeKeyColumns(request, name.parent!.parent?.node);
    case 'CollateColumnConstraint':
      return proposeWords(request, 'collation', collations);
    case 'ForeignKeyClause':
    case 'CreateIndexStmt':
      return proposeTables(request, ({ kind }) => kind === 'table');
    case 'IndexedByIndexed':
      return proposeIndexesOrTriggers(proposals, 'index', schema.indexes);
    case 'NameOver':
      return proposeAll(proposals, 'window', scope.windows);
    case 'Window':
      return node === parent.base ? proposeAll(proposals, 'window', scope.windows) : undefined;
    case 'CreateVirtualTableStmt':
      return proposeAll(proposals, 'module', ['fts5', 'rtree']);
    case 'VacuumStmt':
      return proposeAll(proposals, 'database', databases);
    default:
  }
}

const types = ['INTEGER', 'TEXT', 'REAL', 'BLOB', 'NUMERIC', 'ANY'];
const collations = ['BINARY', 'NOCASE', 'RTRIM'];

function proposeWords(
  { proposals }: NamesRequest,
  kind: 'type' | 'collation',
  words: readonly string[],
  rank: Rank = 'column',
): void {
  for (const word of words) proposals.addWords(kind, word, rank);
}

/** Proposes the columns that both sides of a join have, for USING. */
function proposeSharedColumns(request: NamesRequest, listed: readonly AstNode[]): void {
  const { name, scope } = request;
  const join = joinAround(name);
  if (!join) return;
  const { before, joined } = joinSides(join.from, join.join, scope.names);
  const shared = sharedColumnKeys(before, joined);
  const columns = joined.flatMap(source => source.columns.filter(column => shared.has(keyOf(column.name))));
  proposeColumns(request, columns, listed, undefined);
}

/** The table that the statement changes or defines, if the project has it. */
function targetTable({ scope, schema }: NamesRequest): SchemaTable | undefined {
  const target = scope.target?.table;
  return target === undefined ? undefined : schema.table(target);
}

/** Proposes the columns of the table that the statement changes, except those that the list already has. */
function proposeTargetColumns(request: NamesRequest, listed: readonly AstNode[] = []): void {
  proposeColumns(request, request.scope.target?.columns ?? [], listed, targetTable(request));
}

/** Proposes all columns that an INSERT can set as one list, and each of them. */
function proposeInsertColumns(request: NamesRequest, listed: readonly AstNode[] = []): void {
  const { proposals, scope } = request;
  const columns = settableColumns(scope);
  if (listed.length <= 1) proposeColumnList(proposals, columns, scope.target?.table ?? '');
  proposeColumns(request, columns, listed, targetTable(request));
}

/** Proposes columns that are not listed yet. They are shown with their table, if it is known. */
function proposeColumns(
  { proposals, name }: NamesRequest,
  columns: readonly SchemaColumn[],
  listed: readonly AstNode[],
  table: SchemaTable | undefined,
): void {
  const listedKeys = keysOf(listed, name.node);
  for (const column of columns) {
    if (listedKeys.has(keyOf(column.name))) continue;
    proposeColumn(proposals, column, 'column', { origin: table?.name ?? '', table });
  }
}

/** The keys of the names in a list, without the typed one. */
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
  const { schema, scope } = request;
  if (owner?.type === 'ForeignKeyTableConstraint') {
    return proposeTargetColumns(
      request,
      owner.columns.map(({ colName }) => colName),
    );
  }
  if (owner?.type !== 'ForeignKeyClause') return;
  const listed = (owner.columns ?? []).map(({ colName }) => colName);
  const target = owner.tblName.text;
  if (isSameName(target, scope.target?.table ?? '')) return proposeTargetColumns(request, listed);
  const table = schema.table(target);
  proposeColumns(request, table?.columns ?? [], listed, table);
}
