import { bound, type BoundSql, boundTerm, joined } from '../boundSql.ts';
import { createHash } from 'node:crypto';
import type { StoredValue } from '../../protocol/editValues.ts';
import { exactNumbers, exactText, type Row, type SqlValue } from '../../wire/values.ts';
import type { EditableTable } from '../catalog/editableTable.ts';
import { wireValueOf } from './wireValues.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { parseExact } from '../../wire/exactJson.ts';

/** The text that identifies a row of the grid: its key as the service sends it, or else all of its values. */
export function rowIdIn({ identity, columns }: EditableTable, row: Row): string {
  const names = identity.kind === 'key' ? identity.columns.map(({ name }) => name) : columns.map(({ name }) => name);
  return idOf(names.map(name => (Object.hasOwn(row, name) ? row[name] : null)));
}

/** Whether the id is of a row of the table, not of a new row. */
export const isTableRowId = (id: string): boolean => id.startsWith('[');

const maxPageIdLength = 64;

/** The id by which a page names a row. Equal rows without a key differ by their places. */
export function pageIdIn(table: EditableTable, row: Row, place: number): string {
  const id = rowIdIn(table, row);
  const short = id.length <= maxPageIdLength ? id : createHash('sha256').update(id).digest('base64');
  return table.identity.kind === 'key' ? short : `${short} ${place}`;
}

/** The same text as {@link rowIdIn}, from the stored values of a key. */
export const rowIdOfKey = (key: readonly StoredValue[]): string => idOf(key.map(wireValueOf));

const idOf = (values: readonly (SqlValue | undefined)[]): string =>
  values.length === 1 ? `[${exactText(values[0] ?? null)}]` : JSON.stringify(values, exactNumbers);

export function keyTerm({ identity }: EditableTable, key: readonly StoredValue[]): BoundSql {
  const terms = identity.columns.map(({ name }, index): BoundSql => {
    const value = key[index]!;
    const column = quoteIdentifierIfNeeded(name);
    return value.kind === 'null' ? bound`${column} IS NULL` : bound`${column} = ${boundTerm(value)} COLLATE BINARY`;
  });
  return joined(terms, ' AND ');
}

/** A term for the row of the table with an id. Rows without a key or with a BLOB in it are only found among loaded rows. */
export function rowIdTerm(table: EditableTable, rowId: string): BoundSql {
  if (table.identity.kind !== 'key' || !isTableRowId(rowId)) return bound`FALSE`;
  return keyTerm(table, (parseExact(rowId) as readonly SqlValue[]).map(shownValueOf));
}

/** A value as the service sends it. Numbers are compared by their values, so a whole one may be a REAL. */
function shownValueOf(value: SqlValue): StoredValue {
  if (value === null) return { kind: 'null' };
  const isInteger = Number.isSafeInteger(value) && !Object.is(value, -0);
  if (typeof value === 'number' && !isInteger) return { kind: 'real', text: String(value) };
  return typeof value === 'string' ? { kind: 'text', text: value } : { kind: 'integer', text: exactText(value) };
}
