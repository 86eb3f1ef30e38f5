import type {
  Expr,
  FromClause,
  JoinOperator,
  JoinedSelectTable,
  OneSelect,
  ResultColumn,
  Select,
  SelectTable,
  Stmt,
} from 'sqlite3-parser';
import type { SchemaColumn } from '../tables/schemaTable.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { columnReferenceOf } from './columnReference.ts';
import {
  columnKeysOf,
  columnOfSource,
  noColumnKeys,
  columnOrigin,
  type Source,
  subquerySource,
  tableSource,
} from './sources.ts';
import type { TableNames } from './tableNames.ts';

/** SQLite's own limit. Without one, views that double each other's columns would take all memory. */
const maxColumns = 2000;

/** The query with the rows of a new table or view. */
export function createdQuery(statement: Stmt): Select | undefined {
  if (statement.type === 'CreateViewStmt') return statement.select;
  if (statement.type !== 'CreateTableStmt') return undefined;
  return statement.body.type === 'AsSelectCreateTableBody' ? statement.body.select : undefined;
}

/** The query that names the columns of a new table or view. Undefined if the view names them itself. */
export const namingQuery = (statement: Stmt): Select | undefined =>
  statement.type === 'CreateViewStmt' && statement.columns ? undefined : createdQuery(statement);

/** The columns of a query that have a name. */
export function columnsOfSelect(select: Select, names: TableNames): SchemaColumn[] {
  return columnsOfSimpleSelect(select.select, names.within(select.with));
}

/** The named columns of a SELECT or VALUES without compounds. */
export function columnsOfSimpleSelect(select: OneSelect, names: TableNames): SchemaColumn[] {
  if (names.isTooDeep) return [];
  if (select.type === 'SelectValues') {
    return (select.values[0]?.values ?? []).map((_, index) => ({ name: `column${index + 1}`, type: '' }));
  }
  const sources = sourcesOf(select.from, names);
  const columns: SchemaColumn[] = [];
  for (const result of select.columns) {
    for (const column of columnsOfResult(result, sources)) {
      if (columns.length >= maxColumns) return columns;
      if (column.name !== '') columns.push(column);
    }
  }
  return columns;
}

/** The columns that a result column stands for. One without a name has an empty name. */
export function columnsOfResult(column: ResultColumn, sources: readonly Source[]): Iterable<SchemaColumn> {
  switch (column.type) {
    case 'StarResultColumn':
      return starColumns(sources);
    case 'TableStarResultColumn': {
      const source = sources.find(({ alias }) => isSameName(alias, column.table.text));
      return source?.columns.map(own => withOrigin(own, source)) ?? [];
    }
    case 'ExprResultColumn': {
      const { expr, alias } = column;
      const referenced = referencedColumn(expr, sources);
      const type = referenced?.type ?? '';
      if (alias) return [{ name: alias.name.text, type, origin: { name: alias.name, expr } }];
      return [{ name: referenced?.name ?? '', type, ...(referenced?.origin && { origin: referenced.origin }) }];
    }
  }
}

/** `*` shows a column that a join merges only once. */
function* starColumns(sources: readonly Source[]): Iterable<SchemaColumn> {
  for (const source of sources) {
    for (const column of source.columns) {
      if (!source.mergedColumns.has(keyOf(column.name))) yield withOrigin(column, source);
    }
  }
}

/** A column in the result of a query, with the table that it comes from. */
function withOrigin(column: SchemaColumn, source: Source): SchemaColumn {
  const origin = columnOrigin(column, source);
  return origin === column.origin || !origin ? column : { name: column.name, type: column.type, origin };
}

/** The column that an expression references, if it does nothing else. */
function referencedColumn(expr: Expr, sources: readonly Source[]): SchemaColumn | undefined {
  const reference = columnReferenceOf(expr);
  if (!reference) return undefined;
  const { qualifier, name } = reference;
  for (const source of sources) {
    if (qualifier !== undefined && !isSameName(source.alias, qualifier)) continue;
    const column = columnOfSource(source, name);
    if (column) return withOrigin(column, source);
  }
  return { name, type: '' };
}

/** The parser's flag for NATURAL. The package does not export its value. */
const naturalJoinFlag = 4;

/** SQLite's own limit. */
const maxSources = 64;

const withMergedColumns = (source: Source, mergedColumns: ReadonlySet<string>): Source => ({
  ...source,
  mergedColumns,
});

/** The tables and subqueries of a FROM, in order. */
export function sourcesOf(from: FromClause | undefined, names: TableNames): Source[] {
  if (!from) return [];
  const sources = from.select ? tableSources(from.select, names) : [];
  const columnKeys = new Set(columnKeysOf(sources));
  for (const join of from.joins ?? []) {
    if (sources.length >= maxSources) break;
    const joined = tableSources(join.table, names);
    const mergedColumns = mergedBy(join, columnKeys, joined);
    const isMerging = mergedColumns.size > 0;
    sources.push(...(isMerging ? joined.map(source => withMergedColumns(source, mergedColumns)) : joined));
    for (const key of columnKeysOf(joined)) columnKeys.add(key);
  }
  return sources;
}

/** The sources before a join, and those of its own table. */
export function joinSides(
  from: FromClause,
  join: JoinedSelectTable,
  names: TableNames,
): { before: Source[]; joined: Source[] } {
  const joins = from.joins ?? [];
  const index = joins.indexOf(join);
  const before = sourcesOf({ ...from, joins: joins.slice(0, index) }, names);
  const both = sourcesOf({ ...from, joins: joins.slice(0, index + 1) }, names);
  return { before, joined: both.slice(before.length) };
}

function tableSources(table: SelectTable, names: TableNames): Source[] {
  const alias = table.alias?.name;
  switch (table.type) {
    case 'TableSelectTable':
    case 'TableCallSelectTable':
      return [tableSource(table.tblName, alias, names)];
    case 'SelectSelectTable': {
      const columns = columnsOfSelect(table.select, names);
      return [subquerySource(alias, columns)];
    }
    case 'SubSelectTable': {
      const inner = names.isTooDeep ? [] : sourcesOf(table.from, names.within(undefined));
      if (alias === undefined) return inner;
      const columns = [...starColumns(inner)];
      return [subquerySource(alias, columns)];
    }
  }
}

/** The keys of the columns that USING or NATURAL merges with those of earlier sources. */
function mergedBy(
  { operator, constraint }: JoinedSelectTable,
  earlierColumns: ReadonlySet<string>,
  joined: readonly Source[],
): ReadonlySet<string> {
  if (constraint?.type === 'UsingJoinConstraint') return new Set(constraint.columns.map(({ text }) => keyOf(text)));
  return isNatural(operator) ? earlierColumns.intersection(new Set(columnKeysOf(joined))) : noColumnKeys;
}

export const isNatural = (operator: JoinOperator): boolean =>
  operator.type === 'TypedJoinJoinOperator' && ((operator.joinType ?? 0) & naturalJoinFlag) !== 0;
