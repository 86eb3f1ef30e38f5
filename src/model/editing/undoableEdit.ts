import { type EditValue, isSameValue } from '../../protocol/editValues.ts';
import type { EditableTable } from '../catalog/editableTable.ts';
import { namedKeyOf } from './exactRows.ts';
import {
  type DeletedRow,
  type NamedValue,
  type PendingRow,
  type RowChange,
  type UpdatedRow,
  withCell,
  type WrittenRow,
} from './pendingEdits.ts';
import { rowIdOfKey } from './rowIds.ts';
import { keyAfter, valuesAfter } from './saveOrder.ts';
import { storedAs } from './storedAs.ts';
import type { TableEditing } from './tableEditing.ts';

/** Pending rows that reverse saved edits. */
const reversingRows = new WeakSet<PendingRow>();

/** Whether a row has no pending edit, except one that reverses saved edits. */
const hasNoNewerEdit = (row: PendingRow | undefined): boolean => row === undefined || reversingRows.has(row);

/**
 * Makes the function that undoes and redoes an edit. If the edit is saved, undoing it adds the reverse changes as pending edits.
 * `onUnrestorable` is called when deleted rows do not come back, because their long values are not kept.
 */
export function undoableEdit(
  editing: TableEditing,
  changes: readonly RowChange[],
  onUnrestorable: (count: number) => void,
): (isBackwards: boolean) => void {
  const { edits } = editing;
  /** The pending changes by which the last undo or redo has reversed a saved edit. The next one takes them back. */
  let pendingReversal: readonly RowChange[] = [];
  return isBackwards => {
    const taken = pendingReversal.filter(({ id, after }) => edits.get(id) === after);
    pendingReversal = [];
    if (taken.length > 0) return edits.apply(taken, true);
    const steps = changes.map(change => ({
      id: change.id,
      from: isBackwards ? change.after : change.before,
      to: isBackwards ? change.before : change.after,
    }));
    const pending = steps.filter(({ id, from }) => edits.get(id) === from);
    const saved = steps.filter(
      ({ id, from }) => from !== undefined && edits.get(id) !== from && hasNoNewerEdit(edits.get(id)),
    );
    const lost = saved.filter(({ from }) => from?.kind === 'delete' && (from.long ?? []).length > 0);
    pendingReversal = saved.flatMap(step =>
      lost.includes(step) ? [] : (reversalOf(editing, step.from!, step.to) ?? []),
    );
    for (const { after } of pendingReversal) if (after) reversingRows.add(after);
    edits.apply([...pending.map(({ id, from, to }) => ({ id, before: from, after: to })), ...pendingReversal]);
    if (lost.length > 0) onUnrestorable(lost.length);
  };
}

/** The pending change by which a row whose edits `from` are saved gets the edits `to` instead. */
function reversalOf(editing: TableEditing, from: PendingRow, to: PendingRow | undefined): RowChange | undefined {
  const { table, edits } = editing;
  if (!table) return undefined;
  if (from.kind !== 'delete') return editReversal(editing, table, from, to);
  const after = insertedAgain(table, from);
  return { id: after.id, before: edits.get(after.id), after };
}

/** Changes the pending reversal of the row, if it has one. Its bases stay: they are the values in the table. */
function editReversal(
  { edits, savedKeys }: TableEditing,
  table: EditableTable,
  from: WrittenRow,
  to: PendingRow | undefined,
): RowChange | undefined {
  const key = from.kind === 'insert' ? savedKeys.get(from.id) : keyAfter(table, from);
  if (!key) return undefined;
  // Without a key, the id of a row in the grid is the list of its values. The word keeps a row id apart from such a list.
  const id = table.identity.kind === 'key' ? rowIdOfKey(key) : `rowid ${rowIdOfKey(key)}`;
  const before = edits.get(id);
  const long = from.kind === 'update' ? from.long : undefined;
  const saved: UpdatedRow =
    before?.kind === 'update'
      ? before
      : { kind: 'update', id, key, seenValues: savedValues(table, from), cells: [], ...(long && { long }) };
  const deleted: PendingRow = { ...saved, kind: 'delete', cells: [] };
  if (from.kind === 'insert' && to === undefined) return { id, before, after: deleted };
  const wanted = new Map(to ? valuesOf(to).map(({ column, value }) => [column, value]) : []);
  const bases = new Map(from.kind === 'update' ? from.cells.map(({ column, base }) => [column, base]) : []);
  let after: UpdatedRow | undefined = saved;
  for (const { column, value } of valuesOf(from)) {
    const target = wanted.get(column) ?? bases.get(column);
    if (value.kind === 'default' || !target || isSameValue(value, target)) continue;
    const base = saved.cells.find(cell => cell.column === column)?.base ?? value;
    after = withCell(after ?? { ...saved, cells: [] }, { column, base, value: target });
  }
  return after === saved ? undefined : { id, before, after };
}

function insertedAgain(table: EditableTable, row: DeletedRow): PendingRow {
  const own = namedKeyOf(table, row.key).filter(({ column }) => table.columns.some(({ name }) => name === column));
  const others = row.seenValues.filter(({ column }) => !own.some(named => named.column === column));
  // The id of a new row must not look like that of a row of the table.
  return { kind: 'insert', id: `again ${row.id}`, values: [...own, ...others] };
}

/** The values that a row has when its edits are saved, as far as they are known. */
function savedValues(table: EditableTable, row: WrittenRow): NamedValue[] {
  const valueOf = valuesAfter(table)(row);
  return table.columns.flatMap(column => {
    const value = valueOf(column.name);
    return value ? [{ column: column.name, value: storedAs(table, column, value) }] : [];
  });
}

const valuesOf = (row: PendingRow): readonly NamedValue<EditValue>[] =>
  row.kind === 'insert' ? row.values : row.cells;
