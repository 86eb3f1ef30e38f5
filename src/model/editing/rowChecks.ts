import { misuse } from '../../base/errors.ts';
import { exactText, type Row } from '../../wire/values.ts';
import type { EditableTable } from './editableTable.ts';
import type { NamedValue } from './pendingEdits.ts';
import { rowIdIn } from './rowIds.ts';
import { wireValueOf } from './wireValues.ts';

/** Checks of rows before they are edited. */

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
