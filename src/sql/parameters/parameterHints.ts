import type { AstNode, Expr, Name } from 'sqlite3-parser';
import { parseStatement } from '../parser/parser.ts';
import { nodesIn, type Visited, isFunctionName } from '../parser/walk.ts';
import { columnReferenceOf } from '../scope/columnReference.ts';
import { scopeAt } from '../scope/scope.ts';
import type { SchemaColumn } from '../tables/schemaTable.ts';
import { systemTable } from '../tables/systemTables.ts';
import { isSameName } from '../text/names.ts';
import { placeholders, type Placeholder } from './placeholders.ts';

/** A hint from the statement about the use of a parameter. */
interface Hint {
  /** The column that the parameter is compared with or stored in, or else its clause or function. */
  readonly name?: string;
  readonly table?: string;
  /** The declared type of the column. */
  readonly type?: string;
}

export interface ParameterHint extends Placeholder, Hint {}

/** The columns of a table. Undefined for an unknown table. */
export type ColumnsOf = (table: string) => readonly SchemaColumn[] | undefined;

/** The parameters of a statement, in order, with a hint to the use of each. */
export function parameterHints(text: string, columnsOf: ColumnsOf = () => undefined): ParameterHint[] {
  const hints = new Map<number, Hint>();
  const { ast } = parseStatement(text);
  for (const visited of ast ? nodesIn(ast) : []) {
    if (visited.node.type === 'VariableExpr') hints.set(visited.node.span.offset, hintOf(visited, columnsOf));
  }
  return placeholders(text).map(placeholder => Object.assign(placeholder, hints.get(placeholder.start)));
}

/** A hint for each value of a statement, in order: that of its first use with a name, or else of its first use. */
export function valueHints(text: string, columnsOf?: ColumnsOf): ParameterHint[] {
  const hints = new Map<number, ParameterHint>();
  for (const hint of parameterHints(text, columnsOf)) {
    const known = hints.get(hint.number);
    if (!known || (known.name === undefined && hint.name !== undefined)) hints.set(hint.number, hint);
  }
  return [...hints.values()].toSorted((one, other) => one.number - other.number);
}

/** A reference to a column by its name, or by its index in an inserted row. */
interface ReferencedColumn {
  readonly table?: string;
  readonly qualifier?: string;
  readonly column?: string;
  readonly index?: number;
  /** Whether the type of the column applies. It does not if the column is an argument of a function or an operator. */
  readonly hasColumnType: boolean;
}

function hintOf(parameter: Visited, columnsOf: ColumnsOf): Hint {
  let castType: string | undefined;
  let functionName: string | undefined;
  let indexInRow = 0;
  for (let visited = parameter; visited.parent; visited = visited.parent) {
    const { node } = visited;
    const parent = visited.parent.node;
    if (parent.type === 'ParenthesizedExpr') {
      if (parent.exprs.length > 1) indexInRow = parent.exprs.indexOf(node as Expr);
      continue;
    }
    if (parent.type === 'CastExpr') {
      castType ??= parent.typeName?.name;
      continue;
    }
    if (parent.type === 'FunctionCallExpr') {
      functionName ??= parent.name.name;
      continue;
    }
    if (parent.type === 'Limit') return { name: node === parent.offset ? 'offset' : 'limit', type: 'INTEGER' };
    const reference = columnFor(visited, parent, indexInRow);
    if (reference)
      return { ...resolve(reference, visited, columnsOf), ...(castType !== undefined && { type: castType }) };
    if (!keepsMeaning(parent)) break;
  }
  return {
    ...(functionName !== undefined && { name: functionName }),
    ...(castType !== undefined && { type: castType }),
  };
}

const arithmetic = new Set(['Add', 'Subtract', 'Multiply', 'Divide', 'Modulus', 'Concat']);

/** Whether the result of an expression is compared or stored in place of its operand. */
function keepsMeaning(node: AstNode): boolean {
  if (node.type === 'BinaryExpr') return arithmetic.has(node.op);
  return node.type === 'UnaryExpr' || node.type === 'CollateExpr';
}

const comparisons = new Set(['Equals', 'NotEquals', 'Less', 'LessEquals', 'Greater', 'GreaterEquals', 'Is', 'IsNot']);

/** The column that `parent` compares the node with or stores it in. */
function columnFor(visited: Visited, parent: AstNode, indexInRow: number): ReferencedColumn | undefined {
  const { node } = visited;
  switch (parent.type) {
    case 'BinaryExpr': {
      const otherSide = parent.left === node ? parent.right : parent.left;
      return comparisons.has(parent.op) ? columnIn(otherSide, indexInRow) : undefined;
    }
    case 'LikeExpr':
      return columnIn(parent.lhs === node ? parent.rhs : parent.lhs, indexInRow);
    case 'BetweenExpr':
      return columnIn(parent.lhs === node ? parent.start : parent.lhs, indexInRow);
    case 'InListExpr':
      return parent.lhs === node ? undefined : columnIn(parent.lhs, indexInRow);
    case 'SetAssignment':
      return columnNamed(parent.colNames[parent.colNames.length > 1 ? indexInRow : 0]);
    case 'ValuesRow':
      return insertedColumn(parent.values.indexOf(node as Expr), visited);
    case 'ExprResultColumn':
      return parent.alias ? columnNamed(parent.alias.name) : selectedColumn(parent, visited);
    default:
      return undefined;
  }
}

const columnNamed = (name: Name | undefined): ReferencedColumn | undefined =>
  name && { column: name.text, hasColumnType: true };

/** The column of an INSERT … SELECT that a result column is stored in. */
function selectedColumn(resultColumn: AstNode, visited: Visited): ReferencedColumn | undefined {
  const select = visited.parent?.parent?.node;
  if (select?.type !== 'SelectFrom') return undefined;
  const index = select.columns.findIndex(column => column === resultColumn);
  return insertedColumn(index, visited);
}

const queryParts = new Set(['ValuesRow', 'SelectValues', 'ExprResultColumn', 'SelectFrom', 'CompoundSelect']);

/** The column with an index in the rows of an INSERT. Undefined in the rows of a subquery. */
function insertedColumn(index: number, visited: Visited): ReferencedColumn | undefined {
  let ancestor = visited.parent;
  while (ancestor && queryParts.has(ancestor.node.type)) ancestor = ancestor.parent;
  const insert = ancestor?.parent?.node.type === 'SelectInsertBody' ? ancestor.parent.parent?.node : undefined;
  if (insert?.type !== 'InsertStmt') return undefined;
  const table = insert.tblName.objName.text;
  if (!insert.columns) return { table, index, hasColumnType: true };
  return { ...columnNamed(insert.columns[index]), table, hasColumnType: true };
}

/** The column in an operand: the operand itself, its part of a row, or the first column within it. */
function columnIn(operand: Expr, indexInRow: number): ReferencedColumn | undefined {
  let expr: Expr | undefined = operand;
  while (expr?.type === 'ParenthesizedExpr' || expr?.type === 'CollateExpr') {
    if (expr.type === 'CollateExpr') expr = expr.expr;
    else expr = expr.exprs.length > 1 ? expr.exprs[indexInRow] : expr.exprs[0];
  }
  if (!expr) return undefined;
  for (const visited of nodesIn(expr, ({ type }) => type === 'Select')) {
    const { node } = visited;
    const reference = isFunctionName(visited) ? undefined : referenceBy(node, node === expr);
    if (reference) return reference;
  }
  return undefined;
}

function referenceBy(node: AstNode, hasColumnType: boolean): ReferencedColumn | undefined {
  if (node.type === 'Id' && /^(?:true|false)$/i.test(node.name)) return undefined;
  const reference = columnReferenceOf(node);
  if (!reference) return undefined;
  const { name: column, ...qualifier } = reference;
  return { ...qualifier, column, hasColumnType };
}

function resolve(reference: ReferencedColumn, visited: Visited, columnsOf: ColumnsOf): Hint {
  const table = reference.table ?? tableOf(reference, visited, columnsOf);
  const columns = table === undefined ? undefined : columnsOf(table);
  const column =
    reference.column === undefined ? columns?.[reference.index ?? -1] : columns?.find(hasName(reference.column));
  const name = reference.column ?? column?.name;
  return {
    ...(name !== undefined && { name }),
    ...(table !== undefined && { table }),
    ...(column && column.type !== '' && reference.hasColumnType && { type: column.type }),
  };
}

const hasName =
  (name: string) =>
  (column: { readonly name: string }): boolean =>
    isSameName(column.name, name);

/** The table of a column: by its qualifier, or else the only table in scope, or else the first one with such a column. */
function tableOf({ qualifier, column }: ReferencedColumn, visited: Visited, columnsOf: ColumnsOf): string | undefined {
  const { levels } = scopeAt(visited, { table: systemTable });
  if (qualifier !== undefined) {
    return levels.flat().find(({ alias }) => isSameName(alias, qualifier))?.table;
  }
  const innermost = levels.find(sources => sources.length > 0) ?? [];
  const sources = innermost.filter(({ qualifiedOnly }) => !qualifiedOnly);
  if (sources.length === 1) return sources[0]?.table;
  return sources.find(({ table }) => table !== undefined && columnsOf(table)?.some(hasName(column ?? '')))?.table;
}
