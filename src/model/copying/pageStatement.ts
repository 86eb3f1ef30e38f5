import { bound, type BoundSql } from '../boundSql.ts';
import { arrayOf, asCount, asString, firstOf, parseJson } from '../../base/decode.ts';
import { misuse, refuseAnswer } from '../../base/errors.ts';
import type { Row, SqlValue } from '../../client/index.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import type { TableSource } from '../importing/journal.ts';
import { type SourceValue, type SourceKeyValue, type Place, RawText, textOfBytes } from '../importing/sourceRow.ts';
import { rowsAfter } from './rowsAfter.ts';

/** Services limit the depth of an expression, so each text has the storage classes of at most this many columns. */
const maxKindsPerText = 50;
/** Services limit the columns of a result. The values of a wider table come as lists of several. */
const maxPlainColumns = 90;
const maxValuesPerList = 50;

/** The columns to read of a table, and the key that gives their order. */
export interface ReadTable extends Pick<TableSource, 'table' | 'columns' | 'key'> {
  /** A value with more bytes is not in its row: the row has its length, and the reader fetches it in slices. */
  readonly sliceBytes?: number | undefined;
  /** Whether texts come as the digits of their bytes, because some are not valid UTF-8. */
  readonly hasHexTexts?: boolean;
}

/** A value that does not come with its row. */
export class LongValue {
  readonly kind: 'text' | 'blob';
  readonly sizeBytes: number;

  constructor(kind: 'text' | 'blob', sizeBytes: number) {
    this.kind = kind;
    this.sizeBytes = sizeBytes;
  }
}

/** The columns of a page: those that are copied, and after them those of the key. */
function readColumns({ columns, key }: ReadTable): string[] {
  const copied = new Set(columns);
  return [...columns, ...key.map(({ name }) => name).filter(name => !copied.has(name))];
}

/** Each value comes with its storage class, which JSON lacks: `5` may be an INTEGER or a REAL, and a text may be a BLOB. */
export function tablePageRequest(source: ReadTable, from: Place, maxRows: number): BoundSql {
  const names = readColumns(source).map(quoteIdentifier);
  const isWide = names.length > maxPlainColumns;
  const values = isWide
    ? parts(names, maxValuesPerList).map(part => `json_array(${part.map(name => textSql(name, source)).join(', ')})`)
    : names.map(name => valueSql(name, source));
  const kinds = parts(names, maxKindsPerText).map(part => part.map(isWide ? signedKindSql : kindSql).join(' || '));
  const selected = [
    ...kinds.map((kind, place) => `${kind} AS k${place}`),
    ...values.map((value, place) => `${value} AS v${place}`),
  ];
  const rows = rowsAfter({ ...source, readColumns: readColumns(source) }, from, maxRows);
  return bound`SELECT ${selected.join(', ')} FROM ${quoteIdentifier(source.table)}${rows}`;
}

const kindSql = (name: string): string => `substr(typeof(${name}), 1, 1)`;

/** SQLite writes -0.0 as 0.0 into a text, so it has a letter of its own there. */
const signedKindSql = (name: string): string =>
  `CASE WHEN typeof(${name}) = 'real' AND ${name} = 0 AND atan2(${name}, -1) < 0 THEN 'z' ELSE ${kindSql(name)} END`;

const valueSql = (name: string, source: ReadTable): string =>
  `CASE ${lengthSql(name, source)}${bytesSql(name, source)} ELSE ${name} END`;

/** A value as a text, from which numbers are read back exactly. */
const textSql = (name: string, source: ReadTable): string =>
  `CASE ${lengthSql(name, source)}${bytesSql(name, source)} WHEN typeof(${name}) = 'text' THEN ${name} ELSE quote(${name}) END`;

const bytesSql = (name: string, { hasHexTexts }: ReadTable): string =>
  hasHexTexts
    ? `WHEN typeof(${name}) IN ('text', 'blob') THEN hex(CAST(${name} AS BLOB))`
    : `WHEN typeof(${name}) = 'blob' THEN hex(${name})`;

function lengthSql(name: string, { sliceBytes }: ReadTable): string {
  if (sliceBytes === undefined) return '';
  const length = `length(CAST(${name} AS BLOB))`;
  return `WHEN typeof(${name}) IN ('text', 'blob') AND ${length} > ${sliceBytes} THEN ${length} `;
}

export interface PageRow {
  readonly cells: readonly (SourceValue | LongValue)[];
  readonly key: readonly SourceValue[];
  /** About the characters of its values. */
  readonly size: number;
}

export function pageRow(source: ReadTable, row: Row): PageRow {
  const names = readColumns(source);
  const kinds = parts(names, maxKindsPerText)
    .map((_part, place) => asString(row[`k${place}`]) ?? refuse())
    .join('');
  const isWide = names.length > maxPlainColumns;
  const values = isWide ? listedValues(names, row) : names.map((_name, place) => row[`v${place}`]);
  let size = 0;
  const cells = values.map((value, place) => {
    const cell = isWide ? listedCell(kinds[place], value, source) : cellOf(kinds[place], value, source);
    if (cell instanceof LongValue) size += cell.sizeBytes;
    else size += typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8;
    return cell;
  });
  const key = source.key.map(({ name }) => {
    const cell = cells[names.indexOf(name)];
    if (cell instanceof LongValue)
      throw misuse('key_too_long', `The table '${source.table}' has keys of more than 1 MB.`);
    return cell ?? null;
  });
  return { cells: cells.slice(0, source.columns.length), key, size };
}

/** Values of other types are refused when they are decoded. */
function listedValues(names: readonly string[], row: Row): (SqlValue | undefined)[] {
  return parts(names, maxValuesPerList).flatMap((part, place) => {
    const list = arrayOf(asListed)(parseJson(asString(row[`v${place}`]) ?? refuse()));
    return list?.length === part.length ? list : refuse();
  });
}

/** A value in a list is a text, or the length of a long one. */
const asListed = firstOf(asString, asCount);

function parts(names: readonly string[], size: number): string[][] {
  const count = Math.ceil(names.length / size);
  return Array.from({ length: count }, (_, nth) => names.slice(nth * size, (nth + 1) * size));
}

/** The value of a column, by the first letter of its storage class. */
function cellOf(
  kind: string | undefined,
  value: SqlValue | undefined,
  { hasHexTexts = false }: ReadTable,
): SourceValue | LongValue {
  switch (kind) {
    case 'n':
      return null;
    case 'i':
      return typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value as number | bigint) : refuse();
    case 'r':
      return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : refuse();
    case 't':
      if (typeof value === 'number') return new LongValue('text', value);
      return hasHexTexts ? textOfBytes(bytesOf(value)) : (asString(value) ?? refuse());
    case 'b':
      return typeof value === 'number' ? new LongValue('blob', value) : bytesOf(value);
    default:
      return refuse();
  }
}

const bytesOf = (value: SqlValue | undefined): Uint8Array => Buffer.from(asString(value) ?? refuse(), 'hex');

/** The value of a column that came in a list, as a text. */
function listedCell(kind: string | undefined, value: SqlValue | undefined, source: ReadTable): SourceValue | LongValue {
  switch (kind) {
    case 'i': {
      const digits = asString(value) ?? '';
      return /^-?\d+$/.test(digits) ? BigInt(digits) : refuse();
    }
    case 'r': {
      const real = asString(value) ?? '';
      if (/^-?Inf$/.test(real)) return real === 'Inf' ? Infinity : -Infinity;
      return real !== '' && !Number.isNaN(Number(real)) ? Number(real) : refuse();
    }
    case 'z':
      return -0;
    default:
      return cellOf(kind, value, source);
  }
}

export function storedValue(cell: SourceValue): SourceKeyValue {
  if (cell === null) return { kind: 'null' };
  if (typeof cell === 'bigint') return { kind: 'integer', text: String(cell) };
  if (typeof cell === 'number') return { kind: 'real', text: Object.is(cell, -0) ? '-0' : String(cell) };
  if (typeof cell === 'string') return { kind: 'text', text: cell };
  const hex = Buffer.from(cell).toString('hex');
  return { kind: cell instanceof RawText ? 'rawText' : 'blob', hex };
}

const refuse = (): never => refuseAnswer('The answer of the service has no valid row of the table.');
