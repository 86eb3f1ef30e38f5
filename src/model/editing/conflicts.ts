import type { Project } from '../../client/index.ts';
import { type EditValue, isSameValue, type StoredValue } from '../../protocol/editValues.ts';
import type { EditableTable } from './editableTable.ts';
import { type ExactRow, keyOf, readExactRows } from './exactRows.ts';
import type { DeletedRow, CutValue, NamedValue, PendingRow, RowChange, UpdatedRow } from './pendingEdits.ts';

type ComparedRow = UpdatedRow | DeletedRow;

/** A cell that somebody else has changed since the user began to edit it. */
interface CellConflict {
  readonly kind: 'cell';
  readonly row: ComparedRow;
  readonly column: string;
  readonly base: StoredValue;
  readonly theirs: StoredValue;
  /** Undefined for a row that the user deletes. */
  readonly mine: EditValue | undefined;
  /** The present value, if it is too long to be kept. `theirs` is its start then. */
  readonly long?: CutValue;
}

/** A row that somebody else has deleted, or whose key they have changed. */
interface MissingRow {
  readonly kind: 'missing';
  readonly row: ComparedRow;
}

export type Conflict = CellConflict | MissingRow;

const rowsPerRead = 2000;
/** A deletion compares longer values by their size: otherwise they would be sent twice. */
export const maxComparedBytes = 10_000;

/** Compares the rows of a save that changed nothing with the table as it is now. */
export async function findConflicts(
  project: Pick<Project, 'query'>,
  table: EditableTable,
  rows: readonly ComparedRow[],
  signal: AbortSignal | undefined,
): Promise<Conflict[]> {
  const conflicts: Conflict[] = [];
  for (let start = 0; start < rows.length; start += rowsPerRead) {
    const part = rows.slice(start, start + rowsPerRead);
    for (const kind of ['update', 'delete'] as const) {
      const rowsOfKind = part.filter(row => row.kind === kind);
      if (rowsOfKind.length === 0) continue;
      const columns = [...new Set(rowsOfKind.flatMap(row => basesOf(row).map(({ column }) => column)))];
      const requestedRows = rowsOfKind.map(row => keyOf(table, row.key));
      const options = {
        table,
        requestedRows,
        columns,
        signal,
        ...(kind === 'delete' && { maxBytes: maxComparedBytes }),
      };
      const current = await readExactRows(project, options);
      for (const [index, row] of rowsOfKind.entries()) conflicts.push(...conflictsOf(row, current[index]));
    }
  }
  return conflicts;
}

interface Base {
  readonly column: string;
  readonly base: StoredValue;
  readonly mine: EditValue | undefined;
  /** The size of a long value, of which `base` is the start. */
  readonly bytes?: number;
}

/** The values that the save relies on. */
function basesOf(row: ComparedRow): Base[] {
  if (row.kind === 'update') return row.cells.map(({ column, base, value }) => ({ column, base, mine: value }));
  return [
    ...row.seenValues.map(({ column, value }) => ({ column, base: value, mine: undefined })),
    ...(row.long ?? []).map(({ column, bytes, start }) => ({ column, base: start, mine: undefined, bytes })),
  ];
}

function conflictsOf(row: ComparedRow, current: ExactRow | undefined): Conflict[] {
  if (!current) return [{ kind: 'missing', row }];
  return basesOf(row).flatMap(({ column, base, mine, bytes }): Conflict[] => {
    const long = current.long.find(value => value.column === column);
    const theirs = long?.start ?? current.values.find(value => value.column === column)?.value;
    if (!theirs) return [];
    const isSame =
      long || bytes !== undefined ? long?.bytes === bytes && theirs.kind === base.kind : isSameValue(theirs, base);
    return isSame ? [] : [{ kind: 'cell', row, column, base, theirs, mine, ...(long && { long }) }];
  });
}

/** The changes that keep the user's value: the next save relies on the table's present one. */
export function keepMine(conflicts: readonly Conflict[]): RowChange[] {
  return byRow(conflicts).flatMap(([row, ofRow]) => {
    if (ofRow.some(({ kind }) => kind === 'missing')) return [drop(row)];
    const theirs = new Map(
      ofRow.flatMap(conflict => (conflict.kind === 'cell' ? [[conflict.column, conflict.theirs]] : [])),
    );
    const seenValues = row.seenValues.map(({ column, value }) => ({ column, value: theirs.get(column) ?? value }));
    if (row.kind === 'delete') return [replaced(row, withPresentValues(row, ofRow))];
    const cells = row.cells
      .map(cell => ({ ...cell, base: theirs.get(cell.column) ?? cell.base }))
      .filter(cell => !isSameValue(cell.base, cell.value));
    return [replaced(row, cells.length === 0 ? undefined : { ...row, seenValues, cells })];
  });
}

/** A deletion that relies on the present values of a row. */
function withPresentValues(row: DeletedRow, conflicts: readonly Conflict[]): DeletedRow {
  const cells = conflicts.filter(conflict => conflict.kind === 'cell');
  const isNamed = ({ column }: { readonly column: string }): boolean => cells.some(cell => cell.column === column);
  const currentValues: NamedValue[] = cells.flatMap(({ column, theirs, long }) =>
    long ? [] : [{ column, value: theirs }],
  );
  return {
    ...row,
    seenValues: [...row.seenValues.filter(named => !isNamed(named)), ...currentValues],
    cells: row.cells.map(cell => ({
      ...cell,
      base: currentValues.find(({ column }) => column === cell.column)?.value ?? cell.base,
    })),
    long: [...(row.long ?? []).filter(named => !isNamed(named)), ...cells.flatMap(({ long }) => long ?? [])],
  };
}

/** The changes that discard the user's value. A row that somebody changed is not deleted. */
export function takeTheirs(conflicts: readonly Conflict[]): RowChange[] {
  return byRow(conflicts).map(([row, ofRow]) => {
    if (row.kind === 'delete' || ofRow.some(({ kind }) => kind === 'missing')) return drop(row);
    const columns = new Set(ofRow.flatMap(conflict => (conflict.kind === 'cell' ? [conflict.column] : [])));
    const cells = row.cells.filter(({ column }) => !columns.has(column));
    return replaced(row, cells.length === 0 ? undefined : { ...row, cells });
  });
}

function byRow(conflicts: readonly Conflict[]): [ComparedRow, Conflict[]][] {
  return [...Map.groupBy(conflicts, ({ row }) => row)];
}

const replaced = (row: ComparedRow, after: PendingRow | undefined): RowChange => ({ id: row.id, before: row, after });
const drop = (row: ComparedRow): RowChange => replaced(row, undefined);
