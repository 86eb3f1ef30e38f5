import type { Project } from '../../client/index.ts';
import { type EditValue, isSameValue, type StoredValue } from '../../protocol/editValues.ts';
import type { EditableTable } from '../catalog/editableTable.ts';
import { type ExactRow, readRowsByKey } from './exactRows.ts';
import type { DeletedRow, CutValue, NamedValue, PendingRow, RowChange, UpdatedRow } from './pendingEdits.ts';
import { type SeenValue, seenValuesOf } from './rowChecks.ts';

type ComparedRow = UpdatedRow | DeletedRow;

/** The user's value in a conflict. The user may also have deleted the row, or edited other cells of it. */
type OwnValue = EditValue | { readonly kind: 'deleted' } | { readonly kind: 'unedited' };

/** A cell that somebody else has changed since the user began to edit its row. */
export interface CellConflict {
  readonly kind: 'cell';
  readonly row: ComparedRow;
  readonly column: string;
  readonly base: StoredValue;
  readonly theirs: StoredValue;
  readonly mine: OwnValue;
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
/** Longer values that the user does not edit are compared by their size and start, so that a save does not send them. */
export const maxComparedBytes = 10_000;

/** Compares the rows of a save that changed nothing with the table as it is now. */
export async function findConflicts(
  project: Pick<Project, 'query'>,
  table: EditableTable,
  rows: readonly ComparedRow[],
  signal: AbortSignal | undefined,
): Promise<Conflict[]> {
  const conflicts: Conflict[] = [];
  const readPresent = async (
    wanted: readonly ComparedRow[],
    valuesOf: (row: ComparedRow) => readonly SeenValue[],
    maxBytes?: number,
  ): Promise<Map<ComparedRow, ExactRow | undefined>> => {
    if (wanted.length === 0) return new Map();
    const columns = [...new Set(wanted.flatMap(row => valuesOf(row).map(({ column }) => column)))];
    const keys = wanted.map(({ key }) => key);
    const present = await readRowsByKey(project, keys, { table, columns, maxBytes, signal });
    return new Map(wanted.map((row, index) => [row, present[index]]));
  };
  for (let start = 0; start < rows.length; start += rowsPerRead) {
    const part = rows.slice(start, start + rowsPerRead);
    const updated = part.filter(row => row.kind === 'update');
    const compared = part.filter(row => row.kind === 'delete' || table.identity.kind === 'rowId');
    const edited = await readPresent(updated, ({ cells }) => cells);
    const seen = await readPresent(compared, row => seenValuesOf(table, row), maxComparedBytes);
    for (const row of part) conflicts.push(...conflictsOf(table, row, [edited.get(row), seen.get(row)]));
  }
  return conflicts;
}

function conflictsOf(table: EditableTable, row: ComparedRow, present: readonly (ExactRow | undefined)[]): Conflict[] {
  if (present.every(read => read === undefined)) return [{ kind: 'missing', row }];
  const mineOf = (column: string): OwnValue => {
    if (row.kind === 'delete') return { kind: 'deleted' };
    return row.cells.find(cell => cell.column === column)?.value ?? { kind: 'unedited' };
  };
  const edited: readonly SeenValue[] = row.kind === 'update' ? row.cells : [];
  return [edited, seenValuesOf(table, row)].flatMap((values, index) =>
    values.flatMap(({ column, base, bytes }): Conflict[] => {
      const long = present[index]?.long.find(other => other.column === column);
      const theirs = long?.start ?? present[index]?.values.find(other => other.column === column)?.value;
      // `base` may be the whole value: a column is read whole if another row is edited there.
      const isCut = long && bytes === undefined && isCutOf(long, base);
      if (theirs === undefined || isCut || (long?.bytes === bytes && isSameValue(theirs, base))) return [];
      return [{ kind: 'cell', row, column, base, theirs, mine: mineOf(column), ...(long && { long }) }];
    }),
  );
}

/** Whether a long value seems to be this value, by its storage class, size and start. */
const isCutOf = ({ bytes, start }: CutValue, value: StoredValue): boolean =>
  start.kind === value.kind && bytes === bytesOfValue(value) && longText(value).startsWith(longText(start));

/** Empty for numbers, which are short. */
export const longText = (value: EditValue): string =>
  value.kind === 'blob' ? value.hex : value.kind === 'text' ? value.text : '';

const bytesOfValue = (value: StoredValue): number =>
  value.kind === 'blob' ? value.hex.length / 2 : value.kind === 'text' ? Buffer.byteLength(value.text) : 0;

/** The changes that keep the user's value. The next save expects the table's present value. */
export function keepMine(conflicts: readonly Conflict[]): RowChange[] {
  return byRow(conflicts).flatMap(([row, ofRow]) => {
    if (ofRow.some(({ kind }) => kind === 'missing')) return [drop(row)];
    const present = withPresentValues(row, ofRow);
    if (present.kind === 'delete') return [replaced(row, present)];
    const cells = present.cells.filter(cell => !isSameValue(cell.base, cell.value));
    return [replaced(row, cells.length === 0 ? undefined : { ...present, cells })];
  });
}

/** The row, whose save expects the present values of the table. */
function withPresentValues(row: ComparedRow, conflicts: readonly Conflict[]): ComparedRow {
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

/** Discards the user's values. The deletion of a changed row is dropped, and all edits of a row that may be another. */
export function takeTheirs(conflicts: readonly Conflict[]): RowChange[] {
  return byRow(conflicts).map(([row, ofRow]) => {
    const present = withPresentValues(row, ofRow);
    const isOther = ofRow.some(conflict => conflict.kind === 'missing' || conflict.mine.kind === 'unedited');
    if (isOther || present.kind === 'delete') return drop(row);
    const columns = new Set(ofRow.flatMap(conflict => (conflict.kind === 'cell' ? [conflict.column] : [])));
    const cells = present.cells.filter(({ column }) => !columns.has(column));
    return replaced(row, cells.length === 0 ? undefined : { ...present, cells });
  });
}

function byRow(conflicts: readonly Conflict[]): [ComparedRow, Conflict[]][] {
  return [...Map.groupBy(conflicts, ({ row }) => row)];
}

const replaced = (row: ComparedRow, after: PendingRow | undefined): RowChange => ({ id: row.id, before: row, after });
const drop = (row: ComparedRow): RowChange => replaced(row, undefined);
