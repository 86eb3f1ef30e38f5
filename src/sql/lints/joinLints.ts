import type { AstNode, Expr, FromClause, JoinedSelectTable, QualifiedName, SelectTable } from 'sqlite3-parser';
import { isAlwaysTrue } from '../effect/alwaysTrue.ts';
import { rangeOf, rangeOfTable } from '../parser/nodeRange.ts';
import { type Visited, nodesIn, commonTableNamed } from '../parser/walk.ts';
import { columnReferenceOf } from '../scope/columnReference.ts';
import { isNatural, sourcesOf } from '../scope/query.ts';
import { type Source, targetSource } from '../scope/sources.ts';
import type { TableNames } from '../scope/tableNames.ts';
import { isSameName, keyOf } from '../text/names.ts';
import type { TextRange } from '../text/textRange.ts';
import { type LintContext, shownName } from './lintContext.ts';
import { hasOneRow } from './singleRow.ts';

/** The most tables that SQLite joins. */
const maxTables = 64;

/** One table of FROM. In parentheses it may have several sources. */
interface JoinedTable {
  readonly sources: readonly Source[];
  readonly range: TextRange;
  readonly join: JoinedSelectTable | undefined;
  /** Whether the author intends to combine each of its rows with all rows of the other tables. */
  readonly isIntentional: boolean;
}

/** Reports each table of a query that no condition connects with the tables before it. */
export function lintJoins(visited: Visited, context: LintContext): void {
  const { node } = visited;
  if (node.type !== 'SelectFrom' && node.type !== 'UpdateStmt') return;
  const { from, whereClause } = node;
  const target = node.type === 'UpdateStmt' ? node.tblName : undefined;
  const count = (from?.select ? 1 : 0) + (from?.joins?.length ?? 0) + (target ? 1 : 0);
  if (!from || count < 2 || count > maxTables) return;
  const scope = context.scopeOf(visited);
  if (!scope) return;
  const names = scope.names.within(node.type === 'UpdateStmt' ? node.with : undefined);
  const tables = joinedTables(from, target, names, visited);
  // An unknown table may have any column.
  if (tables.some(({ sources }) => sources.some(({ columns }) => columns.length === 0))) return;
  const groups = new Groups(tables.length);
  for (const [index, { join, isIntentional }] of tables.entries()) {
    const { constraint } = join ?? {};
    if (isIntentional || isOnTrue(constraint, tables)) groups.connect([index, index === 0 ? 1 : 0]);
    if (constraint?.type === 'UsingJoinConstraint') {
      const keys = constraint.columns.map(({ text }) => keyOf(text));
      groups.connect([index, tableWithColumn(tables.slice(0, index), keys) ?? index - 1]);
    }
    if (constraint?.type === 'OnJoinConstraint') connectByCondition(constraint.expr, tables, groups);
  }
  if (whereClause) connectByCondition(whereClause, tables, groups);
  for (const [index, { range, sources }] of tables.entries()) {
    if (index === 0 || !groups.isFirstOfGroup(index)) continue;
    const name = sources[0]?.alias;
    const subject = name === undefined || name === '' ? 'This table' : shownName(name);
    context.add(
      'implicit_cross_join',
      range,
      `No condition connects ${subject} with the tables before it. Add one, or write CROSS JOIN.`,
    );
  }
}

function joinedTables(
  from: FromClause,
  target: QualifiedName | undefined,
  names: TableNames,
  visited: Visited,
): JoinedTable[] {
  const joinedTable = (table: SelectTable, join?: JoinedSelectTable): JoinedTable => ({
    sources: sourcesOf({ ...from, select: table, joins: undefined }, names),
    range: rangeOfTable(table),
    join,
    isIntentional: (join !== undefined && isIntentionalJoin(join)) || isSingle(table, visited),
  });
  const joins = (from.joins ?? []).map(join => joinedTable(join.table, join));
  const tables = from.select ? [joinedTable(from.select), ...joins] : joins;
  if (!target) return tables;
  return [
    { sources: [targetSource(target, names)], range: rangeOf(target), join: undefined, isIntentional: false },
    ...tables,
  ];
}

/** The parser's flag for CROSS. The package does not export its value. */
const crossJoinFlag = 2;

const isIntentionalJoin = (join: JoinedSelectTable): boolean =>
  isNatural(join.operator) ||
  (join.operator.type === 'TypedJoinJoinOperator' && ((join.operator.joinType ?? 0) & crossJoinFlag) !== 0);

/** Whether a join has `ON TRUE` or the like. LEFT JOIN has no other way to combine all rows intentionally. */
const isOnTrue = (constraint: JoinedSelectTable['constraint'], tables: readonly JoinedTable[]): boolean =>
  constraint?.type === 'OnJoinConstraint' &&
  isAlwaysTrue(constraint.expr) &&
  mentionedTables(constraint.expr, tables).size === 0;

/** Whether a table needs no condition: it has one row, or it is a call, whose arguments connect it. */
function isSingle(table: SelectTable, visited: Visited): boolean {
  switch (table.type) {
    case 'TableCallSelectTable':
      return true;
    case 'SelectSelectTable':
      return hasOneRow(table.select);
    case 'TableSelectTable': {
      const common = table.tblName.dbName ? undefined : commonTableNamed(table.tblName.objName.text, visited);
      return common !== undefined && hasOneRow(common.select);
    }
    case 'SubSelectTable':
      return false;
  }
}

function tableWithColumn(tables: readonly JoinedTable[], keys: readonly string[]): number | undefined {
  const index = tables.findIndex(({ sources }) =>
    sources.some(({ columns }) => columns.some(({ name }) => keys.includes(keyOf(name)))),
  );
  return index === -1 ? undefined : index;
}

/** Each operand of AND connects the tables whose columns it mentions. */
function connectByCondition(condition: Expr, tables: readonly JoinedTable[], groups: Groups): void {
  const pending: Expr[] = [condition];
  for (let expr = pending.pop(); expr; expr = pending.pop()) {
    if (expr.type === 'BinaryExpr' && expr.op === 'And') pending.push(expr.left, expr.right);
    else if (expr.type === 'ParenthesizedExpr' && expr.exprs.length === 1) pending.push(expr.exprs[0]!);
    else groups.connect(mentionedTables(expr, tables));
  }
}

function mentionedTables(expr: AstNode, tables: readonly JoinedTable[]): Set<number> {
  const mentioned = new Set<number>();
  for (const { node } of nodesIn(expr)) {
    const reference = columnReferenceOf(node);
    if (!reference) continue;
    const { qualifier, name } = reference;
    const index = tables.findIndex(({ sources }) =>
      sources.some(({ alias, columns, hiddenColumns }) =>
        qualifier === undefined
          ? columns.some(column => isSameName(column.name, name)) ||
            hiddenColumns.some(column => isSameName(column, name))
          : isSameName(alias, qualifier),
      ),
    );
    if (index !== -1) mentioned.add(index);
  }
  return mentioned;
}

/** Groups of connected tables. The number of a group is that of its first table. */
class Groups {
  readonly #groups: number[];

  constructor(count: number) {
    this.#groups = Array.from({ length: count }, (_, index) => index);
  }

  connect(tables: Iterable<number>): void {
    const connected = new Set([...tables].map(table => this.#groups[table]!));
    const first = Math.min(...connected);
    for (const [table, group] of this.#groups.entries()) if (connected.has(group)) this.#groups[table] = first;
  }

  isFirstOfGroup(table: number): boolean {
    return this.#groups[table] === table;
  }
}
