import type { AstNode, Expr, ResultColumn, SelectFrom } from 'sqlite3-parser';
import { fittingSignatures } from '../functions/builtInFunctions.ts';
import { type Visited, nodesIn, isFunctionName } from '../parser/walk.ts';
import type { Schema } from '../schema/schema.ts';
import { columnKeysOf, type Source } from '../scope/sources.ts';
import type { SchemaTable } from '../tables/schemaTable.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import { proposeRowParameters } from './columnLists.ts';
import { proposeColumn } from './columnProposal.ts';
import { promoteComparedColumns, proposeListedValues } from './comparedColumns.ts';
import type { CursorContext } from './cursorContext.ts';
import { placeOfFrom, queryWithoutFrom } from './fromText.ts';
import { proposeFunctions } from './functionProposals.ts';
import { proposeJoinConditions } from './joinProposals.ts';
import type { NamesRequest, Rank, Proposals } from './proposals.ts';
import { databases, proposeTables } from './tableProposals.ts';
import { proposeColumnsWithoutFrom } from './unscopedColumns.ts';

export function proposeInExpression(request: NamesRequest): void {
  const { proposals, name, scope, context } = request;
  const parent = name.parent?.node;
  if (isFunctionName(name)) proposeFunctions(proposals, scope, context);
  else if (parent?.type === 'GeneratedColumnConstraint' && parent.typ === name.node) {
    for (const word of ['STORED', 'VIRTUAL']) proposals.addWords('keyword', word, 'column');
  } else proposeOperands(request);
}

function proposeOperands(request: NamesRequest): void {
  const { proposals, name, scope, context } = request;
  const parent = name.parent?.node;
  for (const word of ['TRUE', 'FALSE']) proposals.addWords('keyword', word, 'keyword');
  if (parent?.type === 'DefaultColumnConstraint') return;
  if (context.isCall) return proposeFunctions(proposals, scope, context);
  if (parent?.type === 'OnJoinConstraint') proposeJoinConditions(request);
  proposeRowParameters(request);
  proposeStar(request);
  proposeListedValues(request);
  const isSorted = parent?.type === 'SortedColumn';
  const proposeResults = (): void => {
    for (const result of scope.results) proposals.addName('column', result, 'column', { origin: 'result' });
  };
  // ORDER BY mostly names results.
  if (isSorted) proposeResults();
  const listed = listedResults(name);
  for (const [depth, level] of scope.levels.entries()) {
    proposeLevel(request, level, key => (depth > 0 ? 'outer' : listed.has(key) ? 'alias' : 'column'));
  }
  if (!isSorted) proposeResults();
  proposeSources(request);
  proposeFunctions(proposals, scope, context);
  proposeGroupKeys(proposals, name, context);
  promoteComparedColumns(request);
  proposeColumnsWithoutFrom(request);
}

/** Proposes `*` for the first result of a query. */
function proposeStar({ proposals, name, typed }: NamesRequest): void {
  const query = name.parent?.node.type === 'ExprResultColumn' ? name.parent.parent?.node : undefined;
  if (typed === '' && query?.type === 'SelectFrom' && query.columns.length === 1)
    proposals.addText('expression', '*', 'alias');
}

/** The keys of the columns that are results already, if the word is a whole result. Such columns are less likely. */
function listedResults(name: Visited): ReadonlySet<string> {
  const query = name.parent?.node.type === 'ExprResultColumn' ? name.parent.parent?.node : undefined;
  if (query?.type !== 'SelectFrom') return new Set();
  const columns = query.columns.flatMap(column => (column.type === 'ExprResultColumn' ? column.expr : []));
  return new Set(columns.flatMap(expr => (expr.type === 'Id' ? keyOf(expr.name) : [])));
}

/** The table of a source, if it is one of the schema. */
function tableOf({ kind, table }: Source, schema: Schema): SchemaTable | undefined {
  return table === undefined || kind === 'common' || kind === 'subquery' ? undefined : schema.table(table);
}

/** Proposes the columns of one query level. A column name that several sources have is proposed with each of their aliases. */
function proposeLevel(
  { proposals, schema }: NamesRequest,
  level: readonly Source[],
  rankOf: (key: string) => Rank,
): void {
  const sources = level.filter(({ qualifiedOnly }) => !qualifiedOnly);
  const keys = sources.flatMap(source => columnKeysOf([source]).filter(key => !source.mergedColumns.has(key)));
  const byKey = Map.groupBy(keys, key => key);
  for (const source of sources) {
    const { alias, columns, hiddenColumns, mergedColumns } = source;
    const table = tableOf(source, schema);
    for (const column of columns) {
      const key = keyOf(column.name);
      // USING and NATURAL show this column only once, with an earlier source.
      if (mergedColumns.has(key)) continue;
      const qualifier = byKey.get(key)?.length === 1 ? '' : alias;
      proposeColumn(proposals, column, rankOf(key), { origin: alias, table, qualifier });
    }
    if (sources.length === 1)
      for (const name of hiddenColumns) proposals.addName('column', name, 'hidden', { origin: alias });
  }
}

/** Proposes the columns after `qualifier.`. The qualifier may be a table that FROM does not name yet. */
export function proposeColumnsOf(request: NamesRequest, qualifier: string, database: string | undefined): void {
  const { proposals, scope, schema, name } = request;
  const sources = database === undefined ? scope.levels.flat() : [];
  const source = sources.find(({ alias }) => isSameName(alias, qualifier));
  const common =
    database === undefined ? scope.names.commonTables.find(table => isSameName(table.name, qualifier)) : undefined;
  // An alias hides the name of its table.
  if (!source && sources.some(({ table = '' }) => isSameName(table, qualifier))) return;
  const named = source || common ? undefined : schema.table(qualifier);
  const columns = (source ?? common ?? named)?.columns;
  if (!columns && databases.includes(keyOf(qualifier))) return proposeTables(request, () => true);
  if (!columns && database === undefined) return proposeColumnsWithoutFrom(request, qualifier);
  const table = source ? tableOf(source, schema) : named;
  const lacksFrom = named !== undefined && database === undefined && queryWithoutFrom(name) !== undefined;
  const from = lacksFrom ? placeOfFrom(request)?.(named.name) : undefined;
  for (const column of columns ?? []) proposeColumn(proposals, column, 'column', { origin: qualifier, table, from });
  for (const hidden of (source ?? common ?? named)?.hiddenColumns ?? [])
    proposals.addName('column', hidden, 'hidden', { ...from });
  promoteComparedColumns(request);
}

/** Proposes the aliases and tables that may qualify a column. */
export function proposeSources({ proposals, scope, schema }: NamesRequest): void {
  for (const [depth, level] of scope.levels.entries()) {
    for (const source of level) {
      const { alias, table = '', columns } = source;
      proposals.addName('alias', alias, depth === 0 ? 'alias' : 'outer', {
        origin: isSameName(alias, table) ? '' : table,
        subject: { kind: 'table', table: tableOf(source, schema) ?? { name: alias, columns } },
      });
    }
  }
}

/** A longer expression is proposed by its alias only. */
const maxExpressionLength = 60;

/** For GROUP BY, proposes the results without aggregates: all at once, and each. Call it after other names are proposed. */
function proposeGroupKeys(proposals: Proposals, name: Visited, { markedText }: CursorContext): void {
  const query = name.parent?.node;
  if (query?.type !== 'SelectFrom' || !query.groupBy?.some(key => key === name.node)) return;
  const textOf = ({ span }: Expr): string => markedText.slice(span.offset, span.offset + span.length);
  const listed = new Set(query.groupBy.map(key => keyOf(textOf(key))));
  const keys = groupKeys(query, textOf).filter(key => !listed.has(keyOf(key)));
  if (keys.length > 1) proposals.addText('expression', keys.join(', '), 'join');
  for (const key of keys) {
    if (!proposals.promoteRelated(key)) proposals.addText('expression', key, 'related');
  }
}

function groupKeys(query: SelectFrom, textOf: (expr: Expr) => string): string[] {
  const keys = query.columns.map(column => groupKey(column, textOf)).filter(key => key !== undefined);
  return [...new Set(keys)];
}

function groupKey(column: ResultColumn, textOf: (expr: Expr) => string): string | undefined {
  if (column.type !== 'ExprResultColumn' || !dependsOnOneRow(column.expr)) return undefined;
  const { expr, alias } = column;
  if (alias && !columnTypes.has(expr.type)) return quoteIdentifierIfNeeded(alias.name.text);
  const text = textOf(expr);
  return text === '' || text.length > maxExpressionLength || text.includes('\n') ? undefined : text;
}

const columnTypes: ReadonlySet<AstNode['type']> = new Set(['Id', 'NameExpr', 'QualifiedExpr']);

/** Whether an expression reads columns and has no aggregate and no window function. */
function dependsOnOneRow(expr: Expr): boolean {
  let readsColumn = false;
  for (const visited of nodesIn(expr, ({ type }) => type === 'Select')) {
    const { node } = visited;
    if (node.type === 'FunctionCallStarExpr') return false;
    if (node.type === 'FunctionCallExpr' && isAggregate(node.name.name, node.args?.length ?? 0)) return false;
    if (columnTypes.has(node.type) && !isFunctionName(visited)) readsColumn = true;
  }
  return readsColumn;
}

const isAggregate = (name: string, argumentCount: number): boolean =>
  fittingSignatures(name, argumentCount).some(({ kind }) => kind === 'aggregate' || kind === 'window');
