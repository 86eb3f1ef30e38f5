import type { StoredValue } from '../../protocol/editValues.ts';
import { exactNumbers, exactText, type Row, type SqlValue } from '../../wire/values.ts';
import type { EditableTable } from './editableTable.ts';
import { wireValueOf } from './wireValues.ts';

/** The text that identifies a row of the grid: its key as the service sends it, or else all of its values. */
export function rowIdIn({ identity, columns }: EditableTable, row: Row): string {
  const names = identity.kind === 'key' ? identity.columns.map(({ name }) => name) : columns.map(({ name }) => name);
  return idOf(names.map(name => (Object.hasOwn(row, name) ? row[name] : null)));
}

/** The same text, of the stored values of a key. */
export const rowIdOfKey = (key: readonly StoredValue[]): string => idOf(key.map(wireValueOf));

const idOf = (values: readonly (SqlValue | undefined)[]): string =>
  values.length === 1 ? `[${exactText(values[0] ?? null)}]` : JSON.stringify(values, exactNumbers);
