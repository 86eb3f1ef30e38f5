import { type EditValue, isSameValue, type StoredValue } from '../../protocol/editValues.ts';
import type { EditableTable } from './editableTable.ts';
import type {
  CellEdit,
  DeletedRow,
  NamedValue,
  PendingEdits,
  PendingRow,
  RowChange,
  UpdatedRow,
} from './pendingEdits.ts';
import { rowIdOfKey } from './rowIds.ts';

interface UndoParts {
  readonly edits: PendingEdits;
  readonly table: () => EditableTable | undefined;
  /** The key that a new row got when it was saved. */
  readonly savedKey: (id: string) => readonly StoredValue[] | undefined;
  /** The kept long values of a deleted row. */
  readonly longValues: (row: DeletedRow) => readonly NamedValue[];
  /** Called when deleted rows do not come back, because their long values were not kept. */
  readonly onUnrestorable: (count: number) => void;
}

/** An edit that can be undone and redone, also after it was saved: then its contrary becomes a pending edit. */
export class UndoableEdit {
  readonly #parts: UndoParts;
  readonly #changes: readonly RowChange[];
  /** The pending contrary of the edit, or of its undo. */
  #contrary: readonly RowChange[] = [];

  constructor(parts: UndoParts, changes: readonly RowChange[]) {
    this.#parts = parts;
    this.#changes = changes;
  }

  undo(): void {
    this.#go(true);
  }

  redo(): void {
    this.#go(false);
  }

  #go(isBackwards: boolean): void {
    const { edits } = this.#parts;
    const taken = this.#contrary.filter(({ id, after }) => edits.get(id) === after);
    this.#contrary = [];
    if (taken.length > 0) return edits.apply(taken, true);
    const steps = this.#changes.map(change => ({
      id: change.id,
      from: isBackwards ? change.after : change.before,
      to: isBackwards ? change.before : change.after,
    }));
    const pending = steps.filter(({ id, from }) => edits.get(id) === from);
    const saved = steps.filter(({ id, from }) => from !== undefined && edits.get(id) === undefined);
    const lost = saved.filter(({ from }) => from?.kind === 'delete' && !this.#isKnown(from));
    this.#contrary = saved.flatMap(step => (lost.includes(step) ? [] : (this.#contraryOf(step.from!, step.to) ?? [])));
    edits.apply([...pending.map(({ id, from, to }) => ({ id, before: from, after: to })), ...this.#contrary]);
    if (lost.length > 0) this.#parts.onUnrestorable(lost.length);
  }

  /** Whether all values of a deleted row are known. */
  #isKnown(row: DeletedRow): boolean {
    const kept = this.#parts.longValues(row);
    return (row.long ?? []).every(({ column }) => kept.some(named => named.column === column));
  }

  /** The change that brings a row from its saved edits to others. */
  #contraryOf(from: PendingRow, to: PendingRow | undefined): RowChange | undefined {
    const table = this.#parts.table();
    if (!table) return undefined;
    const after = from.kind === 'delete' ? this.#insertedAgain(table, from) : this.#edited(table, from, to);
    if (!after) return undefined;
    return { id: after.id, before: this.#parts.edits.get(after.id), after };
  }

  #edited(
    table: EditableTable,
    from: Exclude<PendingRow, { kind: 'delete' }>,
    to: PendingRow | undefined,
  ): PendingRow | undefined {
    const names = table.identity.columns.map(({ name }) => name);
    const key = from.kind === 'insert' ? this.#parts.savedKey(from.id) : keyAfter(names, from);
    if (!key) return undefined;
    const id = rowIdOfKey(key);
    if (from.kind === 'insert' && to === undefined) return { kind: 'delete', id, key, seenValues: [], cells: [] };
    const former = valuesOf(from);
    const wanted = new Map(to ? valuesOf(to).map(({ column, value }) => [column, value]) : []);
    const bases = new Map(from.kind === 'update' ? from.cells.map(({ column, base }) => [column, base]) : []);
    const cells = former.flatMap(({ column, value }): CellEdit[] => {
      const target = wanted.get(column) ?? bases.get(column);
      if (value.kind === 'default' || !target || isSameValue(value, target)) return [];
      return [{ column, base: value, value: target }];
    });
    return cells.length > 0 ? { kind: 'update', id, key, seenValues: [], cells } : undefined;
  }

  /** A deleted row is inserted with the values that it had. */
  #insertedAgain({ identity, columns }: EditableTable, row: DeletedRow): PendingRow {
    const ofKey = identity.columns.map(({ name }, index) => ({ column: name, value: row.key[index]! }));
    const own = ofKey.filter(({ column }) => columns.some(({ name }) => name === column));
    const others = [...row.seenValues, ...this.#parts.longValues(row)].filter(
      ({ column }) => !own.some(named => named.column === column),
    );
    return { kind: 'insert', id: `again ${row.id}`, values: [...own, ...others] };
  }
}

function keyAfter(names: readonly string[], { key, cells }: UpdatedRow): StoredValue[] {
  return names.map((name, index) => {
    const value = cells.find(({ column }) => column === name)?.value;
    return value && value.kind !== 'default' ? value : key[index]!;
  });
}

const valuesOf = (row: PendingRow): readonly NamedValue<EditValue>[] =>
  row.kind === 'insert' ? row.values : row.cells;
