import type { EditValue } from '../../protocol/editValues.ts';
import type { EditableColumn, EditableTable } from '../catalog/editableTable.ts';
import type { CellProblem } from './cellProblems.ts';
import type { InsertedRow, PendingRow } from './pendingEdits.ts';

/** Why a column cannot have a value. SQLite checks the rest when the edits are saved. */
export type ValueFault = 'generated' | 'notNull' | 'notInteger' | 'notReal' | 'notText' | 'notBlob' | 'noDefault';

export function faultOfValue(
  { isStrict, rowIdColumn }: EditableTable,
  column: EditableColumn,
  value: EditValue,
): ValueFault | undefined {
  if (column.isGenerated) return 'generated';
  const isNumbered = column.name === rowIdColumn;
  switch (value.kind) {
    case 'default':
      return column.notNull && column.defaultValue === null && !isNumbered ? 'noDefault' : undefined;
    case 'null':
      return column.notNull || isNumbered ? 'notNull' : undefined;
    default:
      break;
  }
  if (isNumbered) return value.kind === 'integer' ? undefined : 'notInteger';
  return isStrict ? strictFault(column.type.toUpperCase(), value.kind) : undefined;
}

/** The types of a STRICT table: https://sqlite.org/stricttables.html */
function strictFault(type: string, kind: 'integer' | 'real' | 'text' | 'blob'): ValueFault | undefined {
  switch (type) {
    case 'INT':
    case 'INTEGER':
      return kind === 'integer' ? undefined : 'notInteger';
    case 'REAL':
      return kind === 'integer' || kind === 'real' ? undefined : 'notReal';
    case 'TEXT':
      return kind === 'blob' ? 'notText' : undefined;
    case 'BLOB':
      return kind === 'blob' ? undefined : 'notBlob';
    default:
      return undefined;
  }
}

/** A cell of a table by its names. */
export interface CellName {
  readonly rowId: string;
  readonly column: string;
}

/** Edited cells whose columns are not in the table: somebody has dropped or renamed them since. */
export function unknownColumns({ columns }: EditableTable, rows: Iterable<PendingRow>): CellName[] {
  const names = new Set(columns.map(({ name }) => name));
  return [...rows].flatMap(row => {
    const edited = row.kind === 'insert' ? row.values : row.kind === 'update' ? row.cells : row.seenValues;
    return edited.flatMap(({ column }) => (names.has(column) ? [] : [{ rowId: row.id, column }]));
  });
}

/** Edited cells that the table has lost since: their columns, or the key by which their rows were edited, have changed. */
export function unknownCells(
  table: EditableTable,
  rows: readonly PendingRow[],
  keyColumns: readonly string[] | undefined,
): CellProblem[] {
  const { columns } = table.identity;
  const isOtherKey =
    keyColumns !== undefined &&
    (keyColumns.length !== columns.length || keyColumns.some((name, index) => name !== columns[index]?.name));
  const ofTable = isOtherKey ? rows.filter(({ kind }) => kind !== 'insert') : [];
  return [
    ...unknownColumns(table, rows).map(({ rowId, column }) => ({
      rowId,
      column,
      fault: { kind: 'unknownColumn', column } as const,
    })),
    ...ofTable.map(({ id }) => ({ rowId: id, column: undefined, fault: { kind: 'otherKey' } as const })),
  ];
}

/** The cells of new rows that need a value and have none. */
export function missingCells(
  { columns, rowIdColumn }: EditableTable,
  rows: readonly InsertedRow[],
): (CellProblem & CellName)[] {
  const needed = columns.filter(
    ({ name, notNull, defaultValue, isGenerated }) =>
      notNull && defaultValue === null && !isGenerated && name !== rowIdColumn,
  );
  const fault = { kind: 'value', fault: 'noDefault' } as const;
  return rows.flatMap(({ id, values }) =>
    needed
      .filter(({ name }) => !values.some(({ column }) => column === name))
      .map(({ name }) => ({ rowId: id, column: name, fault })),
  );
}
