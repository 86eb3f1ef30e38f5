import { bound, type BoundSql, boundTerm, joined } from '../boundSql.ts';
import type { StoredValue } from '../../protocol/editValues.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import type { KeyColumn, OrderKey } from './orderKeys.ts';

/** A key column with the value of the row after which rows are wanted. */
interface KeyBound {
  readonly name: string;
  readonly descending: boolean;
  readonly value: StoredValue;
}

/**
 * Terms for the rows after a row. The rows of each term come after those of the previous term, and no row passes two terms.
 * Each term begins with comparisons that an index on the order can serve.
 *
 * With `tiedCount`, many rows are expected to have the same first values as the row: they are looked up by these values.
 */
export function rangesAfter(columns: readonly KeyColumn[], key: OrderKey, tiedCount: number): BoundSql[] {
  const bounds = columns.map(({ name, descending }, nth) => ({
    name: quoteIdentifierIfNeeded(name),
    descending,
    value: key[nth]!,
  }));
  if (tiedCount === 0 || tiedCount >= bounds.length) return rangesAfterBounds(bounds);
  const same = bounds.slice(0, tiedCount);
  const rest = bounds.slice(tiedCount);
  const tied = joined([...same.map(equalTerm), termAfter(rest)], ' AND ');
  return [tied, ...rangesAfterBounds(same)];
}

export const inAnyRange = (ranges: readonly BoundSql[]): BoundSql => grouped(joined(ranges.map(grouped), ' OR '));

/** NULL comes before all other values, so a range of an index has either NULL or other values. */
function rangesAfterBounds(bounds: readonly KeyBound[]): BoundSql[] {
  const [first, ...rest] = bounds;
  if (!first) return [];
  const { name, descending, value } = first;
  const nulls = bound`${name} IS NULL`;
  if (value.kind !== 'null') return [boundedTerm(bounds), ...(descending ? [nulls] : [])];
  const sameNull = rest.length > 0 ? [bound`${nulls} AND ${termAfter(rest)}`] : [];
  return [...sameNull, ...(descending ? [] : [bound`${name} IS NOT NULL`])];
}

/** The first value is not NULL. */
function boundedTerm(bounds: readonly KeyBound[]): BoundSql {
  const [first, ...rest] = bounds as [KeyBound, ...KeyBound[]];
  const { name, descending, value } = first;
  const rowValue = rowValueTerm(bounds);
  if (rowValue) return rowValue;
  const operator = descending ? '<' : '>';
  const beyond = comparison(name, operator, value);
  if (rest.length === 0) return beyond;
  const start = comparison(name, `${operator}=`, value);
  return bound`${start} AND (${beyond} OR ${termAfter(rest)})`;
}

/** The rows after the bounds, among those with the same values in the columns before. */
function termAfter(bounds: readonly KeyBound[]): BoundSql {
  const [first, ...rest] = bounds;
  if (!first) return bound`FALSE`;
  const rowValue = rowValueTerm(bounds);
  if (rowValue) return rowValue;
  const { name, descending, value } = first;
  const terms: BoundSql[] = [];
  if (value.kind !== 'null') terms.push(comparison(name, descending ? '<' : '>', value));
  if (descending !== (value.kind === 'null')) terms.push(bound`${name} IS ${descending ? '' : 'NOT '}NULL`);
  if (rest.length > 0) terms.push(bound`(${equalTerm(first)} AND ${termAfter(rest)})`);
  return terms.length === 0 ? bound`FALSE` : grouped(joined(terms, ' OR '));
}

/** SQLite looks up a row value in an index. It skips NULL, so all columns must ascend from values that are not NULL. */
function rowValueTerm(bounds: readonly KeyBound[]): BoundSql | undefined {
  if (bounds.some(({ value, descending }) => value.kind === 'null' || descending)) return undefined;
  if (bounds.length === 1) return comparison(bounds[0]!.name, '>', bounds[0]!.value);
  const names = bounds.map(({ name }) => name).join(', ');
  const parameters = joined(
    bounds.map(({ value }) => boundTerm(value)),
    ', ',
  );
  return bound`(${names}) > (${parameters})`;
}

const equalTerm = ({ name, value }: KeyBound): BoundSql =>
  value.kind === 'null' ? bound`${name} IS NULL` : comparison(name, '=', value);

const comparison = (name: string, operator: string, value: StoredValue): BoundSql =>
  bound`${name} ${operator} ${boundTerm(value)}`;

const grouped = (term: BoundSql): BoundSql => bound`(${term})`;
