import { assertNever } from '../../base/assertNever.ts';
import { keyOf } from '../../sql/text/names.ts';
import { quoteIdentifier, quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import type { Arrangement, ColumnFilter } from '../../protocol/rowQueries.ts';
import { type Column, isBlobType, type SqlParameter, tagValue, textOf } from '../../wire/values.ts';
import type { Statement } from './rowSource.ts';
import type { BrowsedTable } from './tableKey.ts';

export interface ArrangedTable {
  readonly table: string;
  readonly columns: readonly Column[];
  /** What the order ends in, so that it is the same each time. */
  readonly last: readonly string[];
  readonly arrangement: Arrangement;
}

/** The statement that gives a table's rows so arranged. Values are bound, and stand nowhere in its text. */
export function arrangedStatement({ table, columns, last, arrangement }: ArrangedTable): Statement {
  const where = condition(columns, arrangement.filters);
  const order = orderOf(columns, arrangement, last);
  const sql = [`SELECT * FROM ${quoteIdentifierIfNeeded(table)}`, ...where.lines, `ORDER BY ${order}`].join('\n');
  return { sql, params: where.params };
}

/** The statement that gives a table's rows in no order but SQLite's. */
export const plainStatement = ({ name }: BrowsedTable): Statement => ({
  sql: `SELECT * FROM ${quoteIdentifierIfNeeded(name)}`,
  params: [],
});

/** The statement that counts what the other one gives. */
export function countStatement({ table, columns, arrangement }: Omit<ArrangedTable, 'last'>): Statement {
  const where = condition(columns, arrangement.filters);
  const sql = [`SELECT count(*) AS rows FROM ${quoteIdentifier(table)}`, ...where.lines].join('\n');
  return { sql, params: where.params };
}

function orderOf(columns: ArrangedTable['columns'], { sort }: Arrangement, last: readonly string[]): string {
  const keys = sort.map(({ column, descending }) => ({ name: columns[column]!.name, descending }));
  const named = new Set(keys.map(({ name }) => keyOf(name)));
  const rest = last.filter(name => !named.has(keyOf(name)));
  return [
    ...keys.map(({ name, descending }) => `${quoteIdentifierIfNeeded(name)}${descending ? ' DESC' : ''}`),
    ...rest.map(quoteIdentifierIfNeeded),
  ].join(', ');
}

function condition(
  columns: ArrangedTable['columns'],
  filters: readonly ColumnFilter[],
): { lines: string[]; params: readonly SqlParameter[] } {
  const terms = filters.map(filter => term(columns[filter.column]!, filter));
  return {
    lines: terms.map(({ sql }, i) => `${i === 0 ? 'WHERE' : '  AND'} ${sql}`),
    params: terms.flatMap(({ params }) => params),
  };
}

function term(column: Column, filter: ColumnFilter): Statement {
  const name = quoteIdentifierIfNeeded(column.name);
  const { kind } = filter;
  switch (kind) {
    case 'contains':
      // SQLite knows lower case of A to Z only. What a BLOB shows is none of its text.
      return {
        sql: `(typeof(${name}) <> 'blob' AND instr(lower(${shownAs(name, column.type)}), lower(?)) > 0)`,
        params: [filter.text],
      };
    case 'equals':
      return equals(name, column.type, filter.text);
    case 'range':
      return range(column, filter);
    case 'null':
      return { sql: `${name} IS ${filter.isNull ? '' : 'NOT '}NULL`, params: [] };
    default:
      return assertNever(kind);
  }
}

/** As a cell shows it: a whole REAL without the `.0` that SQLite writes. Columns of other types have none. */
function shownAs(name: string, type: string): string {
  if (!/^$|BLOB|REAL|FLOA|DOUB/i.test(type)) return name;
  const whole = `CAST(${name} AS INTEGER)`;
  return `CASE WHEN typeof(${name}) = 'real' AND ${name} = ${whole} THEN ${whole} ELSE ${name} END`;
}

/** By what the cell shows: a number as it is written, a BLOB by its base64, a text to the letter. */
function equals(name: string, type: string, text: string): Statement {
  const number = numberOf(text);
  const bytes = /INT|CHAR|CLOB|TEXT|REAL|FLOA|DOUB/i.test(type) ? undefined : bytesOf(text);
  const either: Statement[] = [
    { sql: `${name} = ? COLLATE BINARY`, params: [text] },
    ...(number === undefined ? [] : [{ sql: `${name} = ?`, params: [number] }]),
    ...(bytes === undefined ? [] : [{ sql: `${name} = unhex(?)`, params: [bytes] }]),
  ];
  const sql = either.map(one => one.sql).join(' OR ');
  return { sql: either.length === 1 ? sql : `(${sql})`, params: either.flatMap(({ params }) => params) };
}

/**
 * Compares in SQLite's own order, which sorting has too: numbers stand before texts, and texts before BLOBs. A text is
 * compared with the bound as it was typed, even if that looks like a number: dates are filtered by a year.
 */
function range(column: Column, { from, to }: { readonly from?: string; readonly to?: string }): Statement {
  const bounds: Statement[] = [];
  if (from !== undefined) bounds.push(bound(column, '>=', from));
  if (to !== undefined) bounds.push(bound(column, '<=', to));
  const isUnboundedNumber = isNumberType(column.type) && isNumber(from) && !isNumber(to);
  if (isUnboundedNumber) bounds.unshift(onlyNumbers(column));
  return { sql: bounds.map(({ sql }) => sql).join(' AND '), params: bounds.flatMap(({ params }) => params) };
}

const isNumberType = (type: string): boolean => /INT|REAL|FLOA|DOUB|NUMERIC|DECIMAL/i.test(type);

const isNumber = (text: string | undefined): boolean => text !== undefined && numberIn(text) !== undefined;

/** Leaves out the texts and BLOBs that a numeric column may have: they are greater than any number. */
const onlyNumbers = ({ name }: Column): Statement => ({
  sql: `typeof(${quoteIdentifierIfNeeded(name)}) IN ('integer', 'real')`,
  params: [],
});

function bound(column: Column, operator: '>=' | '<=', value: string): Statement {
  const { type } = column;
  const name = quoteIdentifierIfNeeded(column.name);
  const bytes = isBlobType(type) ? bytesOf(value) : undefined;
  if (bytes !== undefined) return { sql: `${name} ${operator} unhex(?)`, params: [bytes] };
  const number = /CHAR|CLOB|TEXT/i.test(type) ? undefined : numberIn(value);
  if (number === undefined || isNumberType(type)) {
    return { sql: `${name} ${operator} ?`, params: [number ?? value] };
  }
  // The sign keeps the column's affinity from turning the text bound into a number.
  const sql = `CASE typeof(${name}) WHEN 'text' THEN +${name} ${operator} ? WHEN 'blob' THEN FALSE ELSE ${name} ${operator} ? END`;
  return { sql, params: [value, number] };
}

/** The number that was typed, also as nothing would show it, such as `10.00`. */
function numberIn(text: string): number | bigint | undefined {
  const written = text.trim().replace(/^\+/, '');
  const isDecimal = /^-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(written);
  return numberOf(written) ?? (isDecimal ? Number(written) : undefined);
}

/** The number that is written just so; a column of text compares it as that text. */
function numberOf(text: string): number | bigint | undefined {
  if (/^(?:0|-?[1-9]\d{0,18})$/.test(text)) {
    const integer = BigInt(text);
    if (Number.isSafeInteger(Number(integer))) return Number(integer);
    if (BigInt.asIntN(64, integer) === integer) return integer;
  }
  const number = Number(text);
  return !Number.isNaN(number) && textOf(tagValue(number)) === text ? number : undefined;
}

/** The bytes that a text stands for when it is base64, as hexadecimal digits. */
function bytesOf(text: string): string | undefined {
  if (text.length < 4 || text.length % 4 !== 0 || !/^[A-Za-z\d+/]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes.toString('hex') : undefined;
}
