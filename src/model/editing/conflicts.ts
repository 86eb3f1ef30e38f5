import type { Project } from '../../client/index.ts';
import { type EditValue, isSameValue, type StoredValue } from '../../protocol/editValues.ts';
import type { EditableTable } from './editableTable.ts';
import { type ExactRow, keyOf, readExactRows } from './exactRows.ts';
import type { DeletedRow, PendingRow, RowChange, UpdatedRow } from './pendingEdits.ts';

type TableRow = UpdatedRow | DeletedRow;

/** A cell that somebody else has changed since the user began to edit it. */
export interface CellConflict {
  readonly kind: 'cell';
  readonly row: TableRow;
  readonly column: string;
  readonly base: StoredValue;
  readonly theirs: StoredValue;
  /** Undefined for a row that the user deletes. */
  readonly mine: EditValue | undefined;
}

/** A row that somebody else has deleted, or whose key they have changed. */
export interface MissingRow {
  readonly kind: 'missing';
  readonly row: TableRow;
}

export type Conflict = CellConflict | MissingRow;

const rowsPerRead = 2000;

/** Compares the rows of a save that changed nothing with the table as it is now. */
export async function findConflicts(
  project: Pick<Project, 'query'>,
  table: EditableTable,
  rows: readonly TableRow[],
  signal?: AbortSignal,
): Promise<Conflict[]> {
  const conflicts: Conflict[] = [];
  for (let start = 0; start < rows.length; start += rowsPerRead) {
    const part = rows.slice(start, start + rowsPerRead);
    const columns = [...new Set(part.flatMap(row => basesOf(row).map(({ column }) => column)))];
    const wanted = part.map(row => keyOf(table, row.key));
    const current = await readExactRows(project, { table, wanted, columns, signal });
    for (const [index, row] of part.entries()) conflicts.push(...conflictsOf(row, current[index]));
  }
  return conflicts;
}

interface Base {
  readonly column: string;
  readonly base: StoredValue;
  readonly mine: EditValue | undefined;
}

/** The values that the save relies on. */
const basesOf = (row: TableRow): Base[] =>
  row.kind === 'delete'
    ? row.known.map(({ column, value }) => ({ column, base: value, mine: undefined }))
    : row.cells.map(({ column, base, value }) => ({ column, base, mine: value }));

function conflictsOf(row: TableRow, current: ExactRow | undefined): Conflict[] {
  if (!current) return [{ kind: 'missing', row }];
  return basesOf(row).flatMap(({ column, base, mine }): Conflict[] => {
    const theirs = current.values.find(value => value.column === column)?.value;
    return !theirs || isSameValue(theirs, base) ? [] : [{ kind: 'cell', row, column, base, theirs, mine }];
  });
}

/** The changes that keep the user's value: the next save relies on the table's present one. */
export function keepMine(conflicts: readonly Conflict[]): RowChange[] {
  return byRow(conflicts).flatMap(([row, ofRow]) => {
    if (ofRow.some(({ kind }) => kind === 'missing')) return [drop(row)];
    const theirs = new Map(
      ofRow.flatMap(conflict => (conflict.kind === 'cell' ? [[conflict.column, conflict.theirs]] : [])),
    );
    const known = row.known.map(({ column, value }) => ({ column, value: theirs.get(column) ?? value }));
    const cells = row.cells
      .map(cell => ({ ...cell, base: theirs.get(cell.column) ?? cell.base }))
      .filter(cell => row.kind === 'delete' || !isSameValue(cell.base, cell.value));
    return [replaced(row, row.kind === 'update' && cells.length === 0 ? undefined : { ...row, known, cells })];
  });
}

/** The changes that give the user's value up. A row that somebody changed is not deleted. */
export function takeTheirs(conflicts: readonly Conflict[]): RowChange[] {
  return byRow(conflicts).map(([row, ofRow]) => {
    if (row.kind === 'delete' || ofRow.some(({ kind }) => kind === 'missing')) return drop(row);
    const columns = new Set(ofRow.flatMap(conflict => (conflict.kind === 'cell' ? [conflict.column] : [])));
    const cells = row.cells.filter(({ column }) => !columns.has(column));
    return replaced(row, cells.length === 0 ? undefined : { ...row, cells });
  });
}

function byRow(conflicts: readonly Conflict[]): [TableRow, Conflict[]][] {
  return [...Map.groupBy(conflicts, ({ row }) => row)];
}

const replaced = (row: TableRow, after: PendingRow | undefined): RowChange => ({ id: row.id, before: row, after });
const drop = (row: TableRow): RowChange => replaced(row, undefined);
