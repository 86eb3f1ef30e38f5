import { assertNever } from '../../base/assertNever.ts';
import { asString } from '../../base/decode.ts';
import { protocolError } from '../../base/errors.ts';
import type { Row, SqlValue } from '../../client/index.ts';
import type { EditValue } from '../../protocol/editValues.ts';
import { literal, quoteIdentifier } from '../../sql/text/quoting.ts';
import type { TableSource } from '../importing/journal.ts';
import type { Cell, Place } from '../importing/sourceRow.ts';

/** SQLite limits the depth of an expression, so the storage classes of many columns are texts of several. */
const maxKindsPerText = 100;

/** The columns to read of a table, and the key that gives their order. */
export type ReadTable = Pick<TableSource, 'table' | 'columns' | 'key'>;

/** The columns of a page: those that are copied, and behind them those of the key. */
const readColumns = ({ columns, key }: ReadTable): string[] => [...columns, ...key.map(({ name }) => name)];

/**
 * The statement for the rows behind a place. Each value comes with its storage class, which JSON does not tell: `5` may be an
 * INTEGER or a REAL, and a text may be a BLOB.
 */
export function pageSql(source: ReadTable, from: Place, maxRows: number): string {
  const names = readColumns(source).map(quoteIdentifier);
  const values = names.map(
    (name, place) => `CASE typeof(${name}) WHEN 'blob' THEN hex(${name}) ELSE ${name} END AS v${place}`,
  );
  const kinds = parts(names).map(
    (part, place) => `${part.map(name => `substr(typeof(${name}), 1, 1)`).join(' || ')} AS k${place}`,
  );
  const select = `SELECT ${[...kinds, ...values].join(', ')} FROM ${quoteIdentifier(source.table)}`;
  const { key } = source;
  if (key.length === 0) {
    // Equal rows may stand in any order. All others have one order as long as nobody writes to the table.
    const order = names.flatMap(name => [`${name} COLLATE BINARY`, `typeof(${name})`]);
    return `${select} ORDER BY ${order.join(', ')} LIMIT ${maxRows} OFFSET ${from.rows}`;
  }
  const ordered = key.map(({ name, collation }) => `${quoteIdentifier(name)} COLLATE ${quoteIdentifier(collation)}`);
  const where = from.key ? ` WHERE ${behindTerm(ordered, from.key.map(valueLiteral))}` : '';
  return `${select}${where} ORDER BY ${ordered.join(', ')} LIMIT ${maxRows}`;
}

/**
 * The rows behind a key. A comparison of row values would be shorter, but SQLite finds it in no index whose collation must be
 * named. The first comparison alone says where to begin in the index.
 */
function behindTerm(columns: readonly string[], values: readonly string[]): string {
  let term = 'FALSE';
  for (let place = columns.length - 1; place >= 0; place--) {
    const column = columns[place]!;
    const value = values[place]!;
    const isLast = place === columns.length - 1;
    term = isLast ? `${column} > ${value}` : `(${column} > ${value} OR (${column} = ${value} AND ${term}))`;
  }
  return columns.length > 1 ? `${columns[0]!} >= ${values[0]!} AND ${term}` : term;
}

/** A row of a page. */
export interface PageRow {
  readonly cells: readonly Cell[];
  readonly key: readonly Cell[];
  /** About the characters of its values. */
  readonly size: number;
}

export function pageRow(source: ReadTable, row: Row): PageRow {
  const names = readColumns(source);
  const kinds = parts(names)
    .map((_part, place) => asString(row[`k${place}`]) ?? refuse())
    .join('');
  let size = 0;
  const cells = names.map((_name, place) => {
    const cell = cellOf(kinds[place], row[`v${place}`]);
    size += typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8;
    return cell;
  });
  const { length } = source.columns;
  return { cells: cells.slice(0, length), key: cells.slice(length), size };
}

function parts(names: readonly string[]): string[][] {
  const count = Math.ceil(names.length / maxKindsPerText);
  return Array.from({ length: count }, (_, nth) => names.slice(nth * maxKindsPerText, (nth + 1) * maxKindsPerText));
}

/** The value of a column, by the first letter of its storage class. */
function cellOf(kind: string | undefined, value: SqlValue | undefined): Cell {
  switch (kind) {
    case 'n':
      return null;
    case 'i':
      return typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value as number | bigint) : refuse();
    case 'r':
      return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : refuse();
    case 't':
      return asString(value) ?? refuse();
    case 'b':
      return Buffer.from(asString(value) ?? refuse(), 'hex');
    default:
      return refuse();
  }
}

/** A value of a key for the journal. */
export function storedValue(cell: Cell): EditValue {
  if (cell === null) return { kind: 'null' };
  if (typeof cell === 'bigint') return { kind: 'integer', text: String(cell) };
  if (typeof cell === 'number') return { kind: 'real', text: Object.is(cell, -0) ? '-0' : String(cell) };
  if (typeof cell === 'string') return { kind: 'text', text: cell };
  return { kind: 'blob', hex: Buffer.from(cell).toString('hex') };
}

function valueLiteral(value: EditValue): string {
  switch (value.kind) {
    case 'null':
    case 'default':
      return 'NULL';
    case 'integer':
      return literal(BigInt(value.text));
    case 'real':
      return literal(Number(value.text));
    case 'text':
      return literal(value.text);
    case 'blob':
      return literal(Buffer.from(value.hex, 'hex'));
    default:
      return assertNever(value);
  }
}

function refuse(): never {
  throw protocolError('unexpected_answer', 'The answer of the service has no valid row of the table.');
}
