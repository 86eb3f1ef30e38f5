import type { QualifiedName } from 'sqlite3-parser';
import { pragmaNames } from '../effect/pragmas.ts';
import { builtInFunction } from '../functions/builtInFunctions.ts';
import { type Visited, nodeOfTypeAround } from '../parser/walk.ts';
import type { Schema } from '../schema/schema.ts';
import type { SchemaTable } from '../tables/schemaTable.ts';
import { systemTables } from '../tables/systemTables.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { hasLettersInOrder } from './boundedList.ts';
import { functionParts } from './functionProposals.ts';
import { proposeJoins, relatedTables } from './joinProposals.ts';
import type { NamesRequest, ProposalKind, Proposals, Rank } from './proposals.ts';
import { hasColumns, usedColumns } from './unscopedColumns.ts';

export const databases = ['main', 'temp'];

/** Proposes tables, indexes, triggers and pragmas by the statement or clause that `owner` is. */
export function proposeObjects(request: NamesRequest, name: QualifiedName, owner: Visited | undefined): void {
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

export function proposeAll(
  proposals: Proposals,
  kind: ProposalKind,
  labels: readonly string[],
  rank: Rank = 'column',
): void {
  for (const label of labels) proposals.addText(kind, label, rank);
}

export function proposeIndexesOrTriggers(
  proposals: Proposals,
  kind: 'index' | 'trigger',
  objects: Schema['indexes'],
): void {
  for (const { name, table } of objects) proposals.addName(kind, name, 'column', { origin: table });
}

const hasTrigger = (schema: Schema, { name }: SchemaTable): boolean =>
  Array.from(schema.triggers).some(({ table }) => isSameName(table, name));

/** Proposes everything that FROM can read: common tables, tables, views and table-valued functions. */
function proposeReadable(request: NamesRequest, isQualified: boolean): void {
  const { proposals, scope, context } = request;
  if (!isQualified) {
    for (const table of scope.names.commonTables) {
      proposals.addName('commonTable', table.name, 'mentioned', {
        origin: 'common table',
        subject: { kind: 'table', table },
      });
    }
  }
  if (!context.isCall) proposeTables(request, () => true);
  if (!isQualified && !context.isCall) proposeJoins(request);
  for (const table of systemTables.values()) {
    const subject = { kind: 'table', table } as const;
    if (table.kind === 'table') proposals.addName('table', table.name, 'hidden', { subject });
    if (table.kind !== 'function' || isQualified) continue;
    const signature = builtInFunction(table.name)?.signatures[0];
    const parts = signature ? functionParts(proposals, table.name, signature, context) : {};
    proposals.addName('tableFunction', table.name, 'hidden', { ...parts, subject });
  }
}

/** Nobody reads a longer list. */
const maxTables = 400;

/** Proposes tables. The likeliest come first: related by a foreign key, with the used columns, or mentioned nearby. */
export function proposeTables(request: NamesRequest, accepts: (table: SchemaTable) => boolean): void {
  const { proposals, schema, scope, name, surroundings } = request;
  const related = relatedTables(name, scope, schema);
  const used = usedInFirstTable(name);
  const mentioned = surroundings.names();
  const ranked: { readonly table: SchemaTable; readonly rank: Rank; readonly key: string }[] = [];
  for (const table of schema.tables) {
    if (!accepts(table)) continue;
    const key = keyOf(table.name);
    const isLikely = related.has(key) || hasColumns(table, used);
    ranked.push({ table, key, rank: isLikely ? 'related' : mentioned.has(key) ? 'mentioned' : 'column' });
  }
  for (const { table, rank } of ranked.length > maxTables ? likeliest(ranked, request) : ranked) {
    const kind = table.kind === 'view' ? 'view' : 'table';
    const origin = table.kind === 'table' ? '' : table.kind;
    proposals.addName(kind, table.name, rank, { origin, subject: { kind: 'table', table } });
  }
}

/** If there are very many tables, keeps those that match the typed word. First come those that begin with it. */
function likeliest<Table extends { readonly key: string; readonly rank: Rank }>(
  tables: readonly Table[],
  { typed, proposals }: NamesRequest,
): readonly Table[] {
  proposals.isCut = true;
  const letters = keyOf(typed);
  const groups: Table[][] = [[], [], [], []];
  for (const table of tables) {
    const { key, rank } = table;
    if (!hasLettersInOrder(key, letters)) continue;
    groups[(key.startsWith(letters) ? 0 : 2) + (rank === 'column' ? 1 : 0)]!.push(table);
  }
  return groups.flat().slice(0, maxTables);
}

/** The columns that a query uses, if the name is its first table. */
function usedInFirstTable(name: Visited): ReadonlySet<string> {
  const from = nodeOfTypeAround(name, 'FromClause');
  const query = from?.parent?.node;
  return !from?.node.joins?.length && query?.type === 'SelectFrom' ? usedColumns(query) : new Set();
}
