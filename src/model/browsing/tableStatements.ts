import { bound, type BoundSql, joined } from '../boundSql.ts';
import type { Arrangement, ColumnFilter, ValuesQuery } from '../../protocol/rowQueries.ts';
import { keyOf } from '../../sql/text/names.ts';
import { quoteIdentifier, quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import type { Column } from '../../wire/values.ts';
import type { BrowsedTable } from './browsedTable.ts';
import { filterTerms } from './filterTerms.ts';

export interface ArrangedTable {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly arrangement: Arrangement;
  readonly tieBreakers: readonly string[];
}

export interface OrderColumn {
  readonly name: string;
  readonly descending: boolean;
}

export function arrangedStatement(arranged: ArrangedTable): BoundSql {
  const { table, columns, arrangement } = arranged;
  return selectStatement({
    values: '*',
    table,
    terms: filterTerms(columns, arrangement),
    order: orderColumnsOf(arranged),
  });
}

export function selectStatement(parts: {
  readonly values: string;
  readonly table: string;
  readonly terms: readonly BoundSql[];
  readonly order: readonly OrderColumn[];
}): BoundSql {
  const { values, table, terms, order } = parts;
  const orderTerms = order.map(
    ({ name, descending }) => `${quoteIdentifierIfNeeded(name)}${descending ? ' DESC' : ''}`,
  );
  const from = quoteIdentifierIfNeeded(table);
  return bound`SELECT ${values} FROM ${from}${whereClause(terms)}\nORDER BY ${orderTerms.join(', ')}`;
}

export function orderColumnsOf({ columns, arrangement, tieBreakers }: Omit<ArrangedTable, 'table'>): OrderColumn[] {
  const keys = arrangement.sort.map(({ column, descending }) => ({ name: columns[column]!.name, descending }));
  const sorted = new Set(keys.map(({ name }) => keyOf(name)));
  const others = tieBreakers.filter(name => !sorted.has(keyOf(name)));
  return [...keys, ...others.map(name => ({ name, descending: false }))];
}

export const unsortedStatement = ({ name }: BrowsedTable): BoundSql =>
  bound`SELECT * FROM ${quoteIdentifierIfNeeded(name)}`;

/** Counts the rows that pass the filters of an arrangement, and further terms. */
export function countStatement(
  { table, columns, arrangement }: Omit<ArrangedTable, 'tieBreakers'>,
  terms: readonly BoundSql[] = [],
): BoundSql {
  const where = whereClause([...filterTerms(columns, arrangement), ...terms]);
  return bound`SELECT count(*) AS rows FROM ${quoteIdentifier(table)}${where}`;
}

/** Counts the values of a column, the most frequent first. Selects one value more than wanted, to show that there are more. */
export function valuesStatement(
  { table, columns, arrangement }: Omit<ArrangedTable, 'tieBreakers'>,
  { column, search, maxValues }: ValuesQuery,
): BoundSql {
  const others = arrangement.filters.filter(filter => filter.column !== column);
  const containing: readonly ColumnFilter[] = search === '' ? [] : [{ kind: 'contains', column, text: search }];
  const where = whereClause(filterTerms(columns, { ...arrangement, filters: [...others, ...containing] }));
  const value = quoteIdentifierIfNeeded(columns[column]!.name);
  const select = `SELECT ${value} COLLATE BINARY AS value, count(*) AS rows FROM ${quoteIdentifierIfNeeded(table)}`;
  return bound`${select}${where}\nGROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${maxValues + 1}`;
}

/** The lines after FROM. Empty without terms. */
export const whereClause = (terms: readonly BoundSql[]): BoundSql =>
  terms.length === 0 ? bound`` : bound`\nWHERE ${joined(terms, '\n  AND ')}`;
