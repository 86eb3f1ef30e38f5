import type { AstNode, Expr } from 'sqlite3-parser';
import type { Visited } from '../parser/walk.ts';
import type { Schema } from '../schema/schema.ts';
import { columnsNamed, type FoundColumn } from '../scope/columnReference.ts';
import { foreignKeysOfSource, referencedColumns } from '../scope/foreignKeys.ts';
import { declaredSource, type Source } from '../scope/sources.ts';
import type { ForeignKey, SchemaTable } from '../tables/schemaTable.ts';
import { isSameName } from '../text/names.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import type { NamesRequest } from './proposals.ts';

interface SourceColumn {
  readonly source: Source;
  readonly column: string;
}

/** Promotes the columns that a foreign key connects with the other side of an `=`. Call it after the columns are proposed. */
export function promoteComparedColumns({ proposals, name, scope, schema }: NamesRequest): void {
  const qualified = name.parent?.node.type === 'QualifiedExpr' ? name.parent.node : undefined;
  const operand = qualified ? name.parent! : name;
  const comparison = operand.parent?.node;
  if (comparison?.type !== 'BinaryExpr' || comparison.op !== 'Equals') return;
  const sources = scope.levels.flat();
  const [compared] = columnsNamed(comparison.left === operand.node ? comparison.right : comparison.left, scope);
  if (!compared) return;
  for (const { source, column } of connectedColumns(compared, sources, schema)) {
    if (qualified && !isSameName(source.alias, qualified.table.text)) continue;
    const columnName = quoteIdentifierIfNeeded(column);
    proposals.promoteRelated(`${quoteIdentifierIfNeeded(source.alias)}.${columnName}`);
    proposals.promoteRelated(columnName);
  }
}

/** Proposes the values that a CHECK or a small table lists for the column on the other side of `=`, `<>` or IN. */
export function proposeListedValues({ proposals, name, scope, schema, surroundings }: NamesRequest): void {
  const comparison = name.parent?.node;
  const others = comparison ? comparedWith(comparison, name.node) : [];
  for (const { source, column } of others.flatMap(other => columnsNamed(other, scope))) {
    for (const value of column.listedValues ?? [])
      proposals.addText('expression', value, 'join', { origin: column.name });
    const isOwn = ({ columns }: ForeignKey): boolean => columns.length === 1 && isSameName(columns[0]!, column.name);
    const key = foreignKeysOfSource(source, schema).find(isOwn);
    const [target] = key ? referencedColumns(key, schema) : [];
    for (const { value, text } of (target !== undefined && surroundings.lookupValues(key!.table, target)) || [])
      proposals.addText('expression', value, 'join', { origin: text });
  }
}

function comparedWith(comparison: AstNode, operand: AstNode): Expr[] {
  if (comparison.type === 'InListExpr') return comparison.rhs?.some(value => value === operand) ? [comparison.lhs] : [];
  if (comparison.type !== 'BinaryExpr' || !['Equals', 'NotEquals'].includes(comparison.op)) return [];
  return [comparison.left === operand ? comparison.right : comparison.left];
}

/**
 * If the name is the result of a subquery, as in `x IN (SELECT name)` or `x = (SELECT name)`: finds the columns of a table
 * that a foreign key connects with x.
 */
export function columnsComparedWithSubquery(request: NamesRequest): (table: SchemaTable) => readonly string[] {
  const { name, scope, schema } = request;
  const column = name.parent?.node.type === 'QualifiedExpr' ? name.parent : name;
  const select = column.parent?.node.type === 'ExprResultColumn' ? column.parent.parent?.parent : undefined;
  const operand = select && comparedOperand(select);
  const [compared] = operand ? columnsNamed(operand, scope) : [];
  if (!compared) return () => [];
  return ({ name: table, columns }) =>
    connectedColumns(compared, [declaredSource(table, columns)], schema).map(found => found.column);
}

/** The operand that a query is compared with. */
function comparedOperand({ node, parent }: Visited): Expr | undefined {
  const outer = parent?.node;
  if (outer?.type === 'InSelectExpr') return outer.rhs === node ? outer.lhs : undefined;
  const comparison = outer?.type === 'SubqueryExpr' ? parent?.parent?.node : undefined;
  if (comparison?.type !== 'BinaryExpr' || comparison.op !== 'Equals') return undefined;
  return comparison.left === outer ? comparison.right : comparison.left;
}

/** The columns of other sources that a foreign key connects with a column, in either direction. */
function connectedColumns(
  { source, column: { name: column } }: FoundColumn,
  sources: readonly Source[],
  schema: Schema,
): SourceColumn[] {
  const own = foreignKeysOfSource(source, schema);
  return sources.flatMap(other => {
    if (other === source) return [];
    const referenced = own.filter(key => isSameName(key.table, other.table ?? ''));
    const referencing = foreignKeysOfSource(other, schema).filter(key => isSameName(key.table, source.table ?? ''));
    return [
      ...referenced.map(key => columnBeside(column, key.columns, referencedColumns(key, schema))),
      ...referencing.map(key => columnBeside(column, referencedColumns(key, schema), key.columns)),
    ].flatMap(found => (found === undefined ? [] : { source: other, column: found }));
  });
}

/** The column of `other` at the position that `column` has in `list`. */
function columnBeside(column: string, list: readonly string[], other: readonly string[]): string | undefined {
  const position = list.findIndex(candidate => isSameName(candidate, column));
  return position === -1 ? undefined : other[position];
}
