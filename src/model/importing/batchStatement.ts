import { isSameName } from '../../sql/text/names.ts';
import { quoteIdentifier, realLiteral } from '../../sql/text/quoting.ts';
import type { ImportTarget } from './importOptions.ts';
import { type SourceValue, RawText, type SourceRow } from './sourceRow.ts';

/** The values of a row as a list of JSON, in the order of the target's columns. */
interface EncodedRow {
  readonly json: string;
  readonly blobs?: readonly number[] | undefined;
}

/** Characters that may need an escape in a text between these quotes. */
const escapedIn = { '"': /["\\\p{Cc}]/u, "'": /['\\\p{Cc}]/u } as const;

/** Encodes a row when it is read, so that its single values need not be kept. */
export function encodeRow(
  { cells, isPlain = false }: Pick<SourceRow, 'cells' | 'isPlain'>,
  { columns, hasJsonb }: ImportTarget,
): EncodedRow {
  // The call has this list as a JSON string. Single quotes need no escapes there, which halves the work of each reader.
  if (isPlain && hasJsonb && columns.length === cells.length && columns.every(({ source }, nth) => source === nth)) {
    return { json: `['${cells.join("','")}']` };
  }
  const quote = hasJsonb ? "'" : '"';
  const escaped = escapedIn[quote];
  const values: string[] = [];
  let blobs: number[] | undefined;
  for (const { source } of columns) {
    const cell = cells[source] ?? null;
    // Most texts need no escapes, and this is three times as fast as JSON.stringify.
    if (typeof cell === 'string' && !escaped.test(cell)) values.push(quote + cell + quote);
    else values.push(cellJson(cell));
    if (cell instanceof Uint8Array) (blobs ??= []).push(values.length - 1);
  }
  return { json: `[${values.join(',')}]`, blobs };
}

/**
 * The SQL that writes rows. It has one parameter, a JSON list with a list of values for each row. So it takes any number of
 * rows without a second preparation. Texts are bound as texts: the affinity of a column decides how they are stored.
 */
export function batchSql(target: ImportTarget, blobs: ReadonlySet<number> = new Set()): string {
  const { table, mode, columns, key } = target;
  const source = rowsSql(target);
  const into = quoteIdentifier(table);
  const values = columns.map((_, place) => valueSql(place, blobs.has(place)));
  if (mode === 'update') return updateSql(target, values);
  const names = columns.map(column => quoteIdentifier(column.target));
  const insert = mode === 'replace' ? 'INSERT OR REPLACE' : 'INSERT';
  const rows = `${insert} INTO ${into} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${source}`;
  if (mode === 'insert' || mode === 'replace') return rows;
  // Without WHERE, SQLite would take ON for the condition of a join. OR IGNORE would also drop rows that a CHECK refuses.
  if (mode === 'ignore') return `${rows} WHERE true ON CONFLICT DO NOTHING`;
  const changes = columns
    .filter(column => !isKey(column.target, key))
    .map(column => `${quoteIdentifier(column.target)} = excluded.${quoteIdentifier(column.target)}`);
  const action = changes.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${changes.join(', ')}`;
  return `${rows} WHERE true ON CONFLICT (${key.map(quoteIdentifier).join(', ')}) ${action}`;
}

/** If several rows have the same key, the last one counts, as in the other modes. A NULL in a key matches no row. */
function updateSql(target: ImportTarget, values: readonly string[]): string {
  const { table, columns, key } = target;
  const named = columns.map((column, place) => ({
    target: column.target,
    place,
    name: quoteIdentifier(column.target),
  }));
  const keys = named.filter(column => isKey(column.target, key));
  const changes = named.filter(column => !isKey(column.target, key));
  const into = quoteIdentifier(table);
  const selected = values.map((value, place) => `${value} AS c${place}`).join(', ');
  const groups = keys.map(({ place }) => `c${place}`).join(', ');
  const rows = `SELECT max(r.key), ${selected} FROM ${rowsSql(target)} GROUP BY ${groups}`;
  const set = changes.map(({ name, place }) => `${name} = edit.c${place}`).join(', ');
  const matches = keys.map(({ name, place }) => `${into}.${name} = edit.c${place}`).join(' AND ');
  return `UPDATE ${into} SET ${set} FROM (${rows}) AS edit WHERE ${matches}`;
}

const rowsSql = ({ hasJsonb }: ImportTarget): string => (hasJsonb ? 'jsonb_each(jsonb(?)) AS r' : 'json_each(?) AS r');

const isKey = (name: string, key: readonly string[]): boolean => key.some(other => isSameName(other, name));

/** In the list, bytes are hexadecimal digits in a list of their own, and the bytes of a text are in an object. */
const valueSql = (place: number, mayBeBlob: boolean): string =>
  mayBeBlob
    ? `CASE json_type(r.value, '$[${place}]') WHEN 'array' THEN unhex(r.value ->> '$[${place}][0]')` +
      ` WHEN 'object' THEN CAST(unhex(r.value ->> '$[${place}].t') AS TEXT) ELSE r.value ->> '$[${place}]' END`
    : // SQLite finds a path faster than a number.
      `r.value ->> '$[${place}]'`;

function cellJson(cell: SourceValue): string {
  if (typeof cell === 'bigint') return String(cell);
  if (typeof cell === 'number') return realLiteral(cell);
  if (cell instanceof RawText) return `{"t":"${Buffer.from(cell).toString('hex')}"}`;
  return cell instanceof Uint8Array ? `["${Buffer.from(cell).toString('hex')}"]` : JSON.stringify(cell);
}
