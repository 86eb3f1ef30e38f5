import { misuse } from '../../base/errors.ts';
import { exactText, type Row } from '../../wire/values.ts';
import type { StoredValue } from '../../protocol/editValues.ts';
import type { EditableTable } from '../catalog/editableTable.ts';
import type { DeletedRow, NamedValue, UpdatedRow } from './pendingEdits.ts';
import { rowIdIn } from './rowIds.ts';
import { wireValueOf } from './wireValues.ts';

export interface SeenValue {
  readonly column: string;
  readonly base: StoredValue;
  /** The size of a long value, of which `base` is the start. */
  readonly bytes?: number;
}

/**
 * The values that the save of a row compares, beside those of its edited cells: all values of a row to delete, and of a row that
 * only its row id identifies. A new row may get the row id of a deleted one, and VACUUM may change row ids.
 */
export function seenValuesOf({ identity, columns }: EditableTable, row: UpdatedRow | DeletedRow): SeenValue[] {
  if (row.kind === 'update' && identity.kind === 'key') return [];
  const edited = new Set(row.kind === 'update' ? row.cells.map(({ column }) => column) : []);
  return [
    ...row.seenValues.map(({ column, value }) => ({ column, base: value })),
    ...(row.long ?? []).map(({ column, bytes, start }) => ({ column, base: start, bytes })),
  ].filter(({ column }) => !edited.has(column) && columns.some(({ name }) => name === column));
}

export const rowChanged = (): Error =>
  misuse('row_changed', 'A row has changed since it was loaded. Refresh the table and edit it again.');

/** Rejects if two rows have the same values and no key: their edits could not be distinguished. */
export function requireDistinct(table: EditableTable, rows: readonly Row[]): void {
  if (table.identity.kind === 'key') return;
  if (new Set(rows.map(row => rowIdIn(table, row))).size < rows.length) throw equalRows();
}

export const equalRows = (): Error =>
  misuse('equal_rows', 'Some of these rows are equal, and the table has no key. Edit and save one of them at a time.');

/** Rejects if a stored value is not the one that the grid shows. */
export function requireUnchanged(row: Row, { column, value }: NamedValue): void {
  if (Object.hasOwn(row, column) && exactText(row[column]) !== exactText(wireValueOf(value))) throw rowChanged();
}
