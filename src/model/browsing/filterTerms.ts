import { bound, type BoundSql, joined } from '../boundSql.ts';
import { assertNever } from '../../base/assertNever.ts';
import type { Arrangement, ColumnFilter } from '../../protocol/rowQueries.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { type Column, isBlobType, isNumberType } from '../../wire/values.ts';
import { typedBytes, typedNumber } from '../results/typedValues.ts';

type TextFilter = Extract<ColumnFilter, { readonly kind: 'contains' | 'startsWith' | 'endsWith' }>;
type EqualsFilter = Extract<ColumnFilter, { readonly kind: 'equals' }>;
type ListFilter = Extract<ColumnFilter, { readonly kind: 'in' }>;
type RangeFilter = Extract<ColumnFilter, { readonly kind: 'range' }>;

export function filterTerms(
  columns: readonly Column[],
  { filters, search }: Pick<Arrangement, 'filters' | 'search'>,
): BoundSql[] {
  const terms = filters.map(filter => filterTerm(columns[filter.column]!, filter));
  if (search === undefined || columns.length === 0) return terms;
  const contains = columns.map(({ name, type }) =>
    textTerm(quoteIdentifierIfNeeded(name), type, { kind: 'contains', column: 0, text: search }),
  );
  return [...terms, anyOf(contains)];
}

/** SQLite limits the depth of an expression, so a term of many columns is a balanced tree. */
function anyOf(terms: readonly BoundSql[]): BoundSql {
  if (terms.length === 1) return terms[0]!;
  const half = Math.ceil(terms.length / 2);
  return bound`(${anyOf(terms.slice(0, half))} OR ${anyOf(terms.slice(half))})`;
}

function filterTerm(column: Column, filter: ColumnFilter): BoundSql {
  const name = quoteIdentifierIfNeeded(column.name);
  switch (filter.kind) {
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return negated(textTerm(name, column.type, filter), filter.not);
    case 'equals':
      return equalsTerm(name, column.type, filter);
    case 'in':
      return listTerm(name, column.type, filter);
    case 'range':
      // Exclude NULL: a negated test of types would let it pass.
      return filter.not
        ? bound`${name} IS NOT NULL AND ${negated(rangeTerm(column, filter), true)}`
        : rangeTerm(column, filter);
    case 'null':
      return bound`${name} IS ${filter.isNull ? '' : 'NOT '}NULL`;
    default:
      return assertNever(filter);
  }
}

/** NOT leaves out NULL too: a comparison with NULL is NULL, and so is its negation. */
const negated = (term: BoundSql, not: true | undefined): BoundSql => (not ? bound`NOT (${term})` : term);

/** A BLOB never matches: its cell shows no text of it. SQLite's lower() changes the letters A to Z only. */
function textTerm(name: string, type: string, { kind, text }: TextFilter): BoundSql {
  const shown = `lower(${shownText(name, type)})`;
  // SQLite counts characters, not UTF-16 units.
  const { length } = Array.from(text);
  const test =
    kind === 'endsWith' && length > 0
      ? `substr(${shown}, -${length}) = lower(?)`
      : `instr(${shown}, lower(?)) ${kind === 'startsWith' ? '= 1' : '> 0'}`;
  return { sql: `(typeof(${name}) <> 'blob' AND ${test})`, params: [text] };
}

/** An expression for the text in a cell, which shows a whole REAL without the `.0` that SQLite would append. */
function shownText(name: string, type: string): string {
  const mayHoldReals = /^$|BLOB|REAL|FLOA|DOUB/i.test(type);
  if (!mayHoldReals) return name;
  const whole = `CAST(${name} AS INTEGER)`;
  return `CASE WHEN typeof(${name}) = 'real' AND ${name} = ${whole} THEN ${whole} ELSE ${name} END`;
}

function equalsTerm(name: string, type: string, { text, not }: EqualsFilter): BoundSql {
  const terms = valuesOf(text, type).map(value => {
    const isText = value.sql === '?' && typeof value.params[0] === 'string';
    return bound`${name} ${not ? '<>' : '='} ${value}${isText ? ' COLLATE BINARY' : ''}`;
  });
  const all = joined(terms, not ? ' AND ' : ' OR ');
  return terms.length === 1 ? all : bound`(${all})`;
}

/** Values after IN have no affinity. COLLATE BINARY replaces the collation of the column. */
function listTerm(name: string, type: string, { texts, withNull, not }: ListFilter): BoundSql {
  const values = joined(
    texts.flatMap(text => valuesOf(text, type)),
    ', ',
  );
  const inList = bound`${name} COLLATE BINARY ${not ? 'NOT IN' : 'IN'} (${values})`;
  if (not) return texts.length === 0 ? bound`${name} IS NOT NULL` : inList;
  if (!withNull) return inList;
  return texts.length === 0 ? bound`${name} IS NULL` : bound`(${inList} OR ${name} IS NULL)`;
}

/** The values that a typed text may stand for: a text letter by letter, a number, or a BLOB. */
function valuesOf(text: string, type: string): BoundSql[] {
  const isText = isTextType(type);
  const number = isText ? undefined : typedNumber(text);
  const bytes = isText || /INT|REAL|FLOA|DOUB/i.test(type) ? undefined : typedBytes(text);
  const values: BoundSql[] = [];
  // A numeric column stores such a text as a number.
  if (number === undefined || !isNumberType(type)) values.push({ sql: '?', params: [text] });
  if (number !== undefined) values.push({ sql: '?', params: [number] });
  if (bytes !== undefined) values.push({ sql: 'unhex(?)', params: [bytes.toString('hex')] });
  return values;
}

/** Whether SQLite stores numbers of the column as texts. */
export const isTextType = (type: string): boolean => !/INT/i.test(type) && /CHAR|CLOB|TEXT/i.test(type);

/**
 * Compares in SQLite's own order, which sorting has too: numbers come before texts, and texts before BLOBs. A text is compared
 * with the bound as it was typed, even if that looks like a number: dates are filtered by a year.
 */
function rangeTerm(column: Column, { from, to, exclusive, numbers }: RangeFilter): BoundSql {
  const terms: BoundSql[] = [];
  const end = exclusive ? '' : '=';
  const needsUpperBound = isNumberType(column.type) && isNumber(from) && !isNumber(to);
  if (needsUpperBound || numbers) terms.push(onlyNumbersTerm(column));
  if (from !== undefined) terms.push(boundTerm(column, `>${end}`, from));
  if (to !== undefined) terms.push(boundTerm(column, `<${end}`, to));
  return joined(terms, ' AND ');
}

const isNumber = (text: string | undefined): boolean => text !== undefined && typedNumber(text) !== undefined;

/** Leaves out the texts and BLOBs that a numeric column may have: they are greater than any number. */
const onlyNumbersTerm = ({ name }: Column): BoundSql =>
  bound`typeof(${quoteIdentifierIfNeeded(name)}) IN ('integer', 'real')`;

function boundTerm(column: Column, operator: string, value: string): BoundSql {
  const { type } = column;
  const name = quoteIdentifierIfNeeded(column.name);
  const bytes = isBlobType(type) ? typedBytes(value) : undefined;
  if (bytes !== undefined) return { sql: `${name} ${operator} unhex(?)`, params: [bytes.toString('hex')] };
  const number = isTextType(type) ? undefined : typedNumber(value);
  if (number === undefined || isNumberType(type)) {
    return { sql: `${name} ${operator} ?`, params: [number ?? value] };
  }
  // The sign keeps the column's affinity from turning the text bound into a number.
  const sql = `CASE typeof(${name}) WHEN 'text' THEN +${name} ${operator} ? WHEN 'blob' THEN FALSE ELSE ${name} ${operator} ? END`;
  return { sql, params: [value, number] };
}
