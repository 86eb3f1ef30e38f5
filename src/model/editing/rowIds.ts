import { createHash } from 'node:crypto';
import type { StoredValue } from '../../protocol/editValues.ts';
import { exactNumbers, exactText, type Row, type SqlValue } from '../../wire/values.ts';
import type { EditableTable } from '../catalog/editableTable.ts';
import { wireValueOf } from './wireValues.ts';

/** The text that identifies a row of the grid: its key as the service sends it, or else all of its values. */
export function rowIdIn({ identity, columns }: EditableTable, row: Row): string {
  const names = identity.kind === 'key' ? identity.columns.map(({ name }) => name) : columns.map(({ name }) => name);
  return idOf(names.map(name => (Object.hasOwn(row, name) ? row[name] : null)));
}

/** Whether an id is that of a row of the table, which is there without a pending edit. */
export const isTableRowId = (id: string): boolean => id.startsWith('[');

/** A page names rows by ids of at most this length. */
const maxPageIdLength = 64;

/** The id by which a page names a row. Equal rows without a key differ by their places. */
export function pageIdIn(table: EditableTable, row: Row, place: number): string {
  const id = rowIdIn(table, row);
  const short = id.length <= maxPageIdLength ? id : createHash('sha256').update(id).digest('base64');
  return table.identity.kind === 'key' ? short : `${short} ${place}`;
}

/** The same text, of the stored values of a key. */
export const rowIdOfKey = (key: readonly StoredValue[]): string => idOf(key.map(wireValueOf));

const idOf = (values: readonly (SqlValue | undefined)[]): string =>
  values.length === 1 ? `[${exactText(values[0] ?? null)}]` : JSON.stringify(values, exactNumbers);
