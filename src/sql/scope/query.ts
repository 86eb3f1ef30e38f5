import type { Expr, FromClause, JoinedSelectTable, OneSelect, ResultColumn, Select, SelectTable } from 'sqlite3-parser';
import { isSameName, keyOf } from '../text/names.ts';
import type { SchemaColumn, TableLookup } from '../tables/schemaTable.ts';
import { columnOfSource, namesOf, noColumns, tableSource, type Source } from './sources.ts';
import { TableNames } from './tableNames.ts';

/** SQLite gives no more columns than that, and queries that double each other's columns would have no end. */
const mostColumns = 2000;

/** What tables' names stand for where nothing but the schema gives them. */
export const tableNames = (schema: TableLookup): TableNames => TableNames.of(schema, columnsOfSelect);

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
  for (const result of select.columns) {
    for (const column of columnsOfResult(result, sources)) {
      if (columns.length >= mostColumns) return columns;
      if (column.name !== '') columns.push(column);
    }
  }
  return columns;
}

function columnsOfResult(column: ResultColumn, sources: readonly Source[]): Iterable<SchemaColumn> {
  switch (column.type) {
    case 'StarResultColumn':
      return starColumns(sources);
    case 'TableStarResultColumn':
      return sources.find(({ alias }) => isSameName(alias, column.table.text))?.columns ?? [];
    case 'ExprResultColumn': {
      const found = columnBehind(column.expr, sources);
      const name = column.alias?.name.text ?? found?.name ?? '';
      return [{ name, type: found?.type ?? '' }];
    }
  }
}

/** Those that a join makes one count once. */
function* starColumns(sources: readonly Source[]): Iterable<SchemaColumn> {
  for (const { columns, merged } of sources) {
    for (const column of columns) if (!merged.has(keyOf(column.name))) yield column;
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
        sources.filter(({ alias }) => isSameName(alias, table.text)),
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

/** The parser's flag for NATURAL, which it does not export as a value. */
const naturalJoin = 4;

/** SQLite joins no more tables than that. */
const mostSources = 64;

const withMerged = (source: Source, merged: ReadonlySet<string>): Source => ({ ...source, merged });

/** The tables and subqueries of a FROM, in order. */
export function sourcesOf(from: FromClause | undefined, names: TableNames): Source[] {
  if (!from) return [];
  const sources = from.select ? tableSources(from.select, names) : [];
  const known = new Set(namesOf(sources));
  for (const join of from.joins ?? []) {
    if (sources.length >= mostSources) break;
    const joined = tableSources(join.table, names);
    const merged = mergedBy(join, known, joined);
    sources.push(...(merged.size > 0 ? joined.map(source => withMerged(source, merged)) : joined));
    for (const name of namesOf(joined)) known.add(name);
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
    case 'SubSelectTable': {
      const inner = names.isTooDeep ? [] : sourcesOf(table.from, names.within(undefined));
      if (alias === undefined) return inner;
      const columns = [...starColumns(inner)];
      return [{ alias, kind: 'subquery', columns, hidden: [], merged: noColumns, qualifiedOnly: false }];
    }
  }
}

function mergedBy(
  { operator, constraint }: JoinedSelectTable,
  known: ReadonlySet<string>,
  joined: readonly Source[],
): ReadonlySet<string> {
  if (constraint?.type === 'UsingJoinConstraint') return new Set(constraint.columns.map(({ text }) => keyOf(text)));
  const isNatural = operator.type === 'TypedJoinJoinOperator' && ((operator.joinType ?? 0) & naturalJoin) !== 0;
  return isNatural ? known.intersection(new Set(namesOf(joined))) : noColumns;
}
