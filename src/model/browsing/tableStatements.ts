import { assertNever } from '../../base/assertNever.ts';
import type { Arrangement, ColumnFilter } from '../../protocol/rowQueries.ts';
import { keyOf } from '../../sql/text/names.ts';
import { quoteIdentifier, quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { type Column, isBlobType, isNumberType, type SqlParameter, tagValue, textOf } from '../../wire/values.ts';
import type { BrowsedTable } from './browsedTable.ts';

/** A statement on one table, with the values of its `?`. */
export interface TableStatement {
  readonly sql: string;
  readonly params: readonly SqlParameter[];
}

/** Part of a statement. */
type Term = TableStatement;

export interface ArrangedTable {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly arrangement: Arrangement;
  /** Columns that end the order, so that it is the same each time. */
  readonly tieBreakers: readonly string[];
}

/** Selects the rows of a table in an arrangement. */
export function arrangedStatement({ table, columns, arrangement, tieBreakers }: ArrangedTable): TableStatement {
  const where = whereClause(columns, arrangement.filters);
  const order = orderTerms(columns, arrangement, tieBreakers);
  const sql = [`SELECT * FROM ${quoteIdentifierIfNeeded(table)}`, ...where.lines, `ORDER BY ${order}`].join('\n');
  return { sql, params: where.params };
}

/** Selects the rows of a table in SQLite's own order. */
export const unsortedStatement = ({ name }: BrowsedTable): TableStatement => ({
  sql: `SELECT * FROM ${quoteIdentifierIfNeeded(name)}`,
  params: [],
});

/** Counts the rows that pass the filters of an arrangement. */
export function countStatement({ table, columns, arrangement }: Omit<ArrangedTable, 'tieBreakers'>): TableStatement {
  const where = whereClause(columns, arrangement.filters);
  const sql = [`SELECT count(*) AS rows FROM ${quoteIdentifier(table)}`, ...where.lines].join('\n');
  return { sql, params: where.params };
}

function orderTerms(columns: readonly Column[], { sort }: Arrangement, tieBreakers: readonly string[]): string {
  const keys = sort.map(({ column, descending }) => ({ name: columns[column]!.name, descending }));
  const sorted = new Set(keys.map(({ name }) => keyOf(name)));
  return [
    ...keys.map(({ name, descending }) => `${quoteIdentifierIfNeeded(name)}${descending ? ' DESC' : ''}`),
    ...tieBreakers.filter(name => !sorted.has(keyOf(name))).map(quoteIdentifierIfNeeded),
  ].join(', ');
}

interface WhereClause {
  readonly lines: readonly string[];
  readonly params: readonly SqlParameter[];
}

function whereClause(columns: readonly Column[], filters: readonly ColumnFilter[]): WhereClause {
  const terms = filters.map(filter => filterTerm(columns[filter.column]!, filter));
  return {
    lines: terms.map(({ sql }, index) => `${index === 0 ? 'WHERE' : '  AND'} ${sql}`),
    params: terms.flatMap(({ params }) => params),
  };
}

function filterTerm(column: Column, filter: ColumnFilter): Term {
  const name = quoteIdentifierIfNeeded(column.name);
  const { kind } = filter;
  switch (kind) {
    case 'contains':
      // A cell shows a BLOB as base64, which is not searched. SQLite's lower() changes the letters A to Z only.
      return {
        sql: `(typeof(${name}) <> 'blob' AND instr(lower(${shownText(name, column.type)}), lower(?)) > 0)`,
        params: [filter.text],
      };
    case 'equals':
      return equalsTerm(name, column.type, filter.text);
    case 'range':
      return rangeTerm(column, filter);
    case 'null':
      return { sql: `${name} IS ${filter.isNull ? '' : 'NOT '}NULL`, params: [] };
    default:
      return assertNever(kind);
  }
}

/** An expression for the text in a cell, which shows a whole REAL without the `.0` that SQLite would append. */
function shownText(name: string, type: string): string {
  const mayHoldReals = /^$|BLOB|REAL|FLOA|DOUB/i.test(type);
  if (!mayHoldReals) return name;
  const whole = `CAST(${name} AS INTEGER)`;
  return `CASE WHEN typeof(${name}) = 'real' AND ${name} = ${whole} THEN ${whole} ELSE ${name} END`;
}

/** Compares with what the cell shows: a number as written, a BLOB as base64, a text letter by letter. */
function equalsTerm(name: string, type: string, text: string): Term {
  const number = shownNumber(text);
  const bytes = /INT|CHAR|CLOB|TEXT|REAL|FLOA|DOUB/i.test(type) ? undefined : base64ToHex(text);
  const alternatives: Term[] = [{ sql: `${name} = ? COLLATE BINARY`, params: [text] }];
  if (number !== undefined) alternatives.push({ sql: `${name} = ?`, params: [number] });
  if (bytes !== undefined) alternatives.push({ sql: `${name} = unhex(?)`, params: [bytes] });
  const sql = alternatives.map(term => term.sql).join(' OR ');
  return {
    sql: alternatives.length === 1 ? sql : `(${sql})`,
    params: alternatives.flatMap(({ params }) => params),
  };
}

/**
 * Compares in SQLite's own order, which sorting has too: numbers stand before texts, and texts before BLOBs. A text is
 * compared with the bound as it was typed, even if that looks like a number: dates are filtered by a year.
 */
function rangeTerm(column: Column, { from, to }: { readonly from?: string; readonly to?: string }): Term {
  const terms: Term[] = [];
  const needsUpperBound = isNumberType(column.type) && isNumber(from) && !isNumber(to);
  if (needsUpperBound) terms.push(onlyNumbersTerm(column));
  if (from !== undefined) terms.push(boundTerm(column, '>=', from));
  if (to !== undefined) terms.push(boundTerm(column, '<=', to));
  return { sql: terms.map(({ sql }) => sql).join(' AND '), params: terms.flatMap(({ params }) => params) };
}

const isNumber = (text: string | undefined): boolean => text !== undefined && typedNumber(text) !== undefined;

/** Leaves out the texts and BLOBs that a numeric column may have: they are greater than any number. */
const onlyNumbersTerm = ({ name }: Column): Term => ({
  sql: `typeof(${quoteIdentifierIfNeeded(name)}) IN ('integer', 'real')`,
  params: [],
});

function boundTerm(column: Column, operator: '>=' | '<=', value: string): Term {
  const { type } = column;
  const name = quoteIdentifierIfNeeded(column.name);
  const bytes = isBlobType(type) ? base64ToHex(value) : undefined;
  if (bytes !== undefined) return { sql: `${name} ${operator} unhex(?)`, params: [bytes] };
  const number = /CHAR|CLOB|TEXT/i.test(type) ? undefined : typedNumber(value);
  if (number === undefined || isNumberType(type)) {
    return { sql: `${name} ${operator} ?`, params: [number ?? value] };
  }
  // The sign keeps the column's affinity from turning the text bound into a number.
  const sql = `CASE typeof(${name}) WHEN 'text' THEN +${name} ${operator} ? WHEN 'blob' THEN FALSE ELSE ${name} ${operator} ? END`;
  return { sql, params: [value, number] };
}

/** The number that the user typed, in any spelling, such as `10.00`. */
function typedNumber(text: string): number | bigint | undefined {
  const digits = text.trim().replace(/^\+/, '');
  const isDecimal = /^-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(digits);
  return shownNumber(digits) ?? (isDecimal ? Number(digits) : undefined);
}

/** The number that a cell shows as this very text. `10.00` is none, as a cell shows 10. */
function shownNumber(text: string): number | bigint | undefined {
  if (/^(?:0|-?[1-9]\d{0,18})$/.test(text)) {
    const integer = BigInt(text);
    if (Number.isSafeInteger(Number(integer))) return Number(integer);
    if (BigInt.asIntN(64, integer) === integer) return integer;
  }
  const number = Number(text);
  return !Number.isNaN(number) && textOf(tagValue(number)) === text ? number : undefined;
}

/** The bytes of a base64 text, as hexadecimal digits; undefined if the text is not base64. */
function base64ToHex(text: string): string | undefined {
  if (text.length < 4 || text.length % 4 !== 0 || !/^[A-Za-z\d+/]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes.toString('hex') : undefined;
}
