import type { Expr, FromClause, JoinedSelectTable, OneSelect, ResultColumn, Select, SelectTable } from 'sqlite3-parser';
import type { Schema, SchemaColumn } from '../schema/schema.ts';
import { columnOfSource, noColumns, sharedColumns, tableSource, type Source } from './sources.ts';
import { TableNames } from './tableNames.ts';

/** SQLite gives no more columns than that, and queries that double each other's columns would have no end. */
const mostColumns = 2000;

/** What tables' names stand for where nothing but the schema gives them. */
export const tableNames = (schema: Schema): TableNames => TableNames.of(schema, columnsOfSelect);

/** The columns of a query that can be called by a name. */
export function columnsOfSelect(select: Select, names: TableNames): SchemaColumn[] {
  return columnsOfOne(select.select, names.within(select.with));
}

export function columnsOfOne(select: OneSelect, names: TableNames): SchemaColumn[] {
  if (names.isTooDeep) return [];
  if (select.type === 'SelectValues') {
    return (select.values[0]?.values ?? []).map((_, index) => ({ name: `column${index + 1}`, type: '' }));
  }
  const sources = sourcesOf(select.from, names);
  const columns: SchemaColumn[] = [];
  for (const column of select.columns) {
    if (columns.length >= mostColumns) break;
    columns.push(...columnsOfResult(column, sources));
  }
  return columns.filter(({ name }) => name !== '').slice(0, mostColumns);
}

function columnsOfResult(column: ResultColumn, sources: readonly Source[]): readonly SchemaColumn[] {
  switch (column.type) {
    case 'StarResultColumn':
      return sources.flatMap(({ columns, merged }) => columns.filter(({ name }) => !merged.has(name.toLowerCase())));
    case 'TableStarResultColumn':
      return sources.find(({ alias }) => isSame(alias, column.table.text))?.columns ?? [];
    case 'ExprResultColumn': {
      const found = columnBehind(column.expr, sources);
      const name = column.alias?.name.text ?? found?.name ?? '';
      return [{ name, type: found?.type ?? '' }];
    }
  }
}

/** The column that an expression is, when it is no more than one. */
function columnBehind(expr: Expr, sources: readonly Source[]): SchemaColumn | undefined {
  switch (expr.type) {
    case 'Id':
      return columnNamed(expr.name, sources);
    case 'NameExpr':
      return columnNamed(expr.name.text, sources);
    case 'QualifiedExpr': {
      const { table, column } = expr;
      return columnNamed(
        column.text,
        sources.filter(({ alias }) => isSame(alias, table.text)),
      );
    }
    default:
      return undefined;
  }
}

function columnNamed(name: string, sources: readonly Source[]): SchemaColumn {
  for (const source of sources) {
    const found = columnOfSource(source, name);
    if (found) return found;
  }
  return { name, type: '' };
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The parser's flag for NATURAL, which it does not export as a value. */
const naturalJoin = 4;

/** The tables and subqueries of a FROM, in order. */
export function sourcesOf(from: FromClause | undefined, names: TableNames): Source[] {
  if (!from) return [];
  const sources = from.select ? tableSources(from.select, names) : [];
  for (const join of from.joins ?? []) {
    const joined = tableSources(join.table, names);
    const merged = mergedBy(join, sources, joined);
    sources.push(...(merged.size > 0 ? joined.map(source => ({ ...source, merged })) : joined));
  }
  return sources;
}

function tableSources(table: SelectTable, names: TableNames): Source[] {
  const alias = table.alias?.name.text;
  switch (table.type) {
    case 'TableSelectTable':
    case 'TableCallSelectTable':
      return [tableSource(table.tblName, alias, names)];
    case 'SelectSelectTable': {
      const columns = columnsOfSelect(table.select, names);
      return [{ alias: alias ?? '', kind: 'subquery', columns, hidden: [], merged: noColumns, qualifiedOnly: false }];
    }
    case 'SubSelectTable':
      return names.isTooDeep ? [] : sourcesOf(table.from, names.within(undefined));
  }
}

function mergedBy(
  { operator, constraint }: JoinedSelectTable,
  before: readonly Source[],
  joined: readonly Source[],
): ReadonlySet<string> {
  if (constraint?.type === 'UsingJoinConstraint')
    return new Set(constraint.columns.map(({ text }) => text.toLowerCase()));
  const isNatural = operator.type === 'TypedJoinJoinOperator' && ((operator.joinType ?? 0) & naturalJoin) !== 0;
  return isNatural ? sharedColumns(before, joined) : noColumns;
}
