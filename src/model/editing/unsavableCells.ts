import type { EditableTable } from '../catalog/editableTable.ts';
import type { InsertedRow, PendingRow } from './pendingEdits.ts';

/** Cells that are known before a save to keep their rows from being saved. */

interface UnsavableCell {
  readonly rowId: string;
  readonly column: string;
}

/** Edited cells whose columns are not in the table: somebody has dropped or renamed them since. */
export function unknownColumns({ columns }: EditableTable, rows: Iterable<PendingRow>): UnsavableCell[] {
  const names = new Set(columns.map(({ name }) => name));
  return [...rows].flatMap(row => {
    const edited = row.kind === 'insert' ? row.values : row.kind === 'update' ? row.cells : row.seenValues;
    return edited.flatMap(({ column }) => (names.has(column) ? [] : [{ rowId: row.id, column }]));
  });
}

export interface UnknownCell {
  readonly rowId: string;
  /** Undefined for a row whose key the table no longer has. */
  readonly column: string | undefined;
}

/** Edited cells that the table has lost since: their columns, or the key by which their rows were edited, have changed. */
export function unknownCells(
  table: EditableTable,
  rows: readonly PendingRow[],
  keyColumns: readonly string[] | undefined,
): UnknownCell[] {
  const { columns } = table.identity;
  const isOtherKey =
    keyColumns !== undefined &&
    (keyColumns.length !== columns.length || keyColumns.some((name, index) => name !== columns[index]?.name));
  const ofTable = isOtherKey ? rows.filter(({ kind }) => kind !== 'insert') : [];
  return [...unknownColumns(table, rows), ...ofTable.map(({ id }) => ({ rowId: id, column: undefined }))];
}

/** The cells of new rows that need a value and have none. */
export function missingCells({ columns, rowIdColumn }: EditableTable, rows: readonly InsertedRow[]): UnsavableCell[] {
  const needed = columns.filter(
    ({ name, notNull, defaultValue, isGenerated }) =>
      notNull && defaultValue === null && !isGenerated && name !== rowIdColumn,
  );
  return rows.flatMap(({ id, values }) =>
    needed.flatMap(({ name }) => (values.some(({ column }) => column === name) ? [] : [{ rowId: id, column: name }])),
  );
}
