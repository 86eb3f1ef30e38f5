import type { AstNode, Expr, Name } from 'sqlite3-parser';
import { placeholders, type Placeholder } from './placeholders.ts';
import { parseStatement } from '../parser/parser.ts';
import { systemTable } from '../tables/systemTables.ts';
import { scopeAt } from '../scope/scope.ts';
import { walk, type Visited } from '../parser/walk.ts';

/** What a form can say of a parameter. Each part is there only when the statement tells. */
export interface ParameterHint extends Placeholder {
  /** The column it is compared with or goes into; else the clause or the function that it is for. */
  readonly name?: string;
  readonly table?: string;
  /** As a column's declared type. */
  readonly type?: string;
}

export interface KnownColumn {
  readonly name: string;
  readonly type: string;
}

/** The columns of a table, for who has a schema. */
export type ColumnsOf = (table: string) => readonly KnownColumn[] | undefined;

/** The parameters of a statement, in order, with what each of them is for. */
export function parameterHints(text: string, columnsOf: ColumnsOf = () => undefined): ParameterHint[] {
  const hints = new Map<number, Omit<ParameterHint, keyof Placeholder>>();
  const { ast } = parseStatement(text);
  if (ast) {
    walk(ast, visited => {
      if (visited.node.type === 'VariableExpr') hints.set(visited.node.span.offset, hintOf(visited, columnsOf));
      return true;
    });
  }
  return placeholders(text).map(placeholder => Object.assign(placeholder, hints.get(placeholder.start)));
}

/** A column as it is written, or the place of one in a row that is inserted. */
interface ColumnPlace {
  readonly table?: string;
  readonly qualifier?: string;
  readonly column?: string;
  readonly index?: number;
  /** False when something is made of the column first, so that its type says nothing. */
  readonly bare: boolean;
}

function hintOf(parameter: Visited, columnsOf: ColumnsOf): Omit<ParameterHint, keyof Placeholder> {
  let type: string | undefined;
  let callee: string | undefined;
  let index = 0;
  for (let at = parameter; at.parent; at = at.parent) {
    const { node, parent } = { node: at.node, parent: at.parent.node };
    if (parent.type === 'ParenthesizedExpr') {
      if (parent.exprs.length > 1) index = parent.exprs.indexOf(node as Expr);
      continue;
    }
    if (parent.type === 'CastExpr') {
      type ??= parent.typeName?.name;
      continue;
    }
    if (parent.type === 'FunctionCallExpr') {
      callee ??= parent.name.name;
      continue;
    }
    if (parent.type === 'Limit') return { name: node === parent.offset ? 'offset' : 'limit', type: 'INTEGER' };
    const place = placeBy({ node, parent, at, index });
    if (place) return { ...resolve(place, at, columnsOf), ...(type === undefined ? {} : { type }) };
    if (!isTransparent(parent)) break;
  }
  return { ...(callee === undefined ? {} : { name: callee }), ...(type === undefined ? {} : { type }) };
}

const reckoning = new Set(['Add', 'Subtract', 'Multiply', 'Divide', 'Modulus', 'Concat']);

/** What is made of a parameter and is still compared or stored in its place. */
function isTransparent(node: AstNode): boolean {
  if (node.type === 'BinaryExpr') return reckoning.has(node.op);
  return node.type === 'UnaryExpr' || node.type === 'CollateExpr';
}

interface Ascent {
  readonly node: AstNode;
  readonly parent: AstNode;
  readonly at: Visited;
  readonly index: number;
}

const comparisons = new Set(['Equals', 'NotEquals', 'Less', 'LessEquals', 'Greater', 'GreaterEquals', 'Is', 'IsNot']);

function placeBy({ node, parent, at, index }: Ascent): ColumnPlace | undefined {
  switch (parent.type) {
    case 'BinaryExpr':
      return comparisons.has(parent.op)
        ? columnIn(parent.left === node ? parent.right : parent.left, index)
        : undefined;
    case 'LikeExpr':
      return columnIn(parent.lhs === node ? parent.rhs : parent.lhs, index);
    case 'BetweenExpr':
      return columnIn(parent.lhs === node ? parent.start : parent.lhs, index);
    case 'InListExpr':
      return parent.lhs === node ? undefined : columnIn(parent.lhs, index);
    case 'SetAssignment':
      return bareName(parent.colNames[parent.colNames.length > 1 ? index : 0]);
    case 'ValuesRow':
      return insertedAt(parent.values.indexOf(node as Expr), at);
    case 'ExprResultColumn':
      return parent.alias ? bareName(parent.alias.name) : insertedColumn(parent, at);
    default:
      return undefined;
  }
}

const bareName = (name: Name | undefined): ColumnPlace | undefined => name && { column: name.text, bare: true };

function insertedColumn(column: AstNode, at: Visited): ColumnPlace | undefined {
  const select = at.parent?.parent?.node;
  return select?.type === 'SelectFrom'
    ? insertedAt(
        select.columns.findIndex(item => item === column),
        at,
      )
    : undefined;
}

/** The column number `index` of the rows that an INSERT takes, if they are its own and not a subquery's. */
function insertedAt(index: number, at: Visited): ColumnPlace | undefined {
  let up = at.parent;
  while (
    up &&
    ['ValuesRow', 'SelectValues', 'ExprResultColumn', 'SelectFrom', 'CompoundSelect'].includes(up.node.type)
  ) {
    up = up.parent;
  }
  const insert = up?.parent?.node.type === 'SelectInsertBody' ? up.parent.parent?.node : undefined;
  if (insert?.type !== 'InsertStmt') return undefined;
  const table = insert.tblName.objName.text;
  return insert.columns ? { ...bareName(insert.columns[index]), table, bare: true } : { table, index, bare: true };
}

/** The column that an operand speaks of: itself, its part of a row, or the first one that it is made of. */
function columnIn(operand: Expr, index: number): ColumnPlace | undefined {
  let expr: Expr | undefined = operand;
  while (expr?.type === 'ParenthesizedExpr' || expr?.type === 'CollateExpr') {
    if (expr.type === 'CollateExpr') expr = expr.expr;
    else expr = expr.exprs.length > 1 ? expr.exprs[index] : expr.exprs[0];
  }
  if (!expr) return undefined;
  let found: ColumnPlace | undefined;
  walk(expr, ({ node, parent }) => {
    const isName = parent?.node.type === 'FunctionCallExpr' && parent.node.name === node;
    if (!isName) found ??= columnPlace(node, node === expr);
    return found === undefined && node.type !== 'Select';
  });
  return found;
}

function columnPlace(node: AstNode, bare: boolean): ColumnPlace | undefined {
  if (node.type === 'Id') return /^(?:true|false)$/i.test(node.name) ? undefined : { column: node.name, bare };
  if (node.type === 'NameExpr') return { column: node.name.text, bare };
  if (node.type === 'QualifiedExpr') return { qualifier: node.table.text, column: node.column.text, bare };
  return undefined;
}

function resolve(place: ColumnPlace, at: Visited, columnsOf: ColumnsOf): Omit<ParameterHint, keyof Placeholder> {
  const table = place.table ?? tableOf(place, at, columnsOf);
  const columns = table === undefined ? undefined : columnsOf(table);
  const known = place.column === undefined ? columns?.[place.index ?? -1] : columns?.find(sameName(place.column));
  const name = place.column ?? known?.name;
  return {
    ...(name === undefined ? {} : { name }),
    ...(table === undefined ? {} : { table }),
    ...(known && known.type !== '' && place.bare ? { type: known.type } : {}),
  };
}

const sameName =
  (name: string) =>
  (other: { readonly name: string }): boolean =>
    other.name.toLowerCase() === name.toLowerCase();

/** By its alias; without one, the only table that is there, or the first that is known to have the column. */
function tableOf({ qualifier, column }: ColumnPlace, at: Visited, columnsOf: ColumnsOf): string | undefined {
  const { levels } = scopeAt(at, { table: systemTable });
  if (qualifier !== undefined) {
    return levels.flat().find(({ alias }) => alias.toLowerCase() === qualifier.toLowerCase())?.table;
  }
  const level = levels.find(sources => sources.length > 0)?.filter(({ qualifiedOnly }) => !qualifiedOnly) ?? [];
  if (level.length === 1) return level[0]?.table;
  return level.find(({ table }) => table !== undefined && columnsOf(table)?.some(sameName(column ?? '')))?.table;
}
