import { Emitter } from '../../base/emitter.ts';
import { setMember } from '../../base/setMember.ts';
import type { EditValue, StoredValue } from '../../protocol/editValues.ts';
import type { RowEdits } from '../../protocol/browsing.ts';
import type { Column, Row } from '../../wire/values.ts';
import type { RowOverlay, RowPlace } from '../browsing/rowOverlay.ts';
import type { NamedValue, PendingRow, CellEdit } from './pendingEdits.ts';
import type { EditableTable } from '../catalog/editableTable.ts';
import { namedKeyOf } from './exactRows.ts';
import { rowIdOfKey } from './rowIds.ts';
import { keyAfter } from './saveOrder.ts';
import { wireValueOf } from './wireValues.ts';
import type { TableEditing } from './tableEditing.ts';
import type { TypedText } from './typedTexts.ts';

/** The edits that a row shows. */
interface ShownEdits {
  readonly pending: PendingRow | undefined;
  readonly saved: SavedEdits | undefined;
  readonly texts: readonly TypedText[];
}

const unedited: ShownEdits = { pending: undefined, saved: undefined, texts: [] };

/** Shows pending edits over the rows of their table, and saved ones until the rows are read again. */
export class EditOverlay implements RowOverlay {
  readonly #editing: TableEditing;
  readonly #changes = new Emitter<void>();
  /** In each order of the rows, the one of several equal rows without a key that shows their edits. */
  readonly #owners = new WeakMap<object, Map<string, number>>();
  readonly #savedRows = new SavedRows();
  newRows: readonly Row[] = [];
  orderVersion = 0;
  version = 0;

  readonly onChange = this.#changes.on;

  constructor(editing: TableEditing) {
    this.#editing = editing;
    editing.edits.onChange(() => this.#update());
    editing.texts.onChange(() => this.#update());
  }

  /** Only one of several equal rows without a key may have pending edits: nothing distinguishes the others until they are saved. */
  claim(row: Row, place: RowPlace): boolean {
    const id = this.#editing.keylessIdOf(row);
    if (id === undefined) return true;
    const isFree = !this.#editing.edits.get(id) && this.#editing.texts.of(id).length === 0;
    if (isFree) this.#ownersIn(place.view).set(id, place.number);
    return isFree || this.#editsAt(row, place) !== unedited;
  }

  startReading(view: object): void {
    this.#savedRows.startReading(view);
  }

  /** Takes rows that a statement has saved, before they leave the pending edits. */
  keepSaved(rows: readonly PendingRow[]): void {
    this.#savedRows.add(rows);
  }

  /** The row with the key that a save has given it since it was read. Another row may have its old key now. */
  movedRow(row: Row, { view }: RowPlace): Row {
    const { table } = this.#editing;
    const key = this.#savedOf(row, view)?.key;
    if (!table || !key) return row;
    return withValues({ ...row }, namedKeyOf(table, key));
  }

  shownRow(row: Row, place: RowPlace): Row {
    const { pending, saved, texts } = this.#editsAt(row, place);
    const pendingCells = pending && pending.kind !== 'insert' ? pending.cells : [];
    const cells = [...(saved?.cells ?? []), ...pendingCells, ...valuesOf(texts)];
    return cells.length === 0 ? row : withValues({ ...row }, cells);
  }

  /** The marks of rows that are shown from `start` on. Undefined stands for a new row. */
  marksOf(
    rows: readonly (Row | undefined)[],
    start: number,
    columns: readonly Column[],
    placeAt: (row: number) => RowPlace,
  ): RowEdits[] {
    const numbersOf = (names: readonly string[]): number[] =>
      [...columns.keys()].filter(column => names.includes(columns[column]!.name));
    return rows.flatMap((row, index): RowEdits[] => {
      const place = start + index;
      if (!row) {
        const { values = [], id = '' } = this.#editing.edits.inserted[place] ?? {};
        const given = numbersOf(values.map(({ column }) => column));
        const typed = numbersOf(this.#editing.texts.of(id).map(({ column }) => column));
        const defaults = [...columns.keys()].filter(column => !given.includes(column) && !typed.includes(column));
        return [{ row: place, state: 'new', columns: given, defaults }];
      }
      const { pending, saved } = this.#editsAt(row, placeAt(place));
      if (!pending && saved?.isDeleted) return [{ row: place, state: 'deleted', columns: [] }];
      if (!pending || pending.kind === 'insert') return [];
      const state = pending.kind === 'delete' ? 'deleted' : 'updated';
      return [{ row: place, state, columns: numbersOf(pending.cells.map(({ column }) => column)) }];
    });
  }

  /** The edits that a row shows. The first of several equal rows without a key shows those of one of them. */
  #editsAt(row: Row, place: RowPlace): ShownEdits {
    const saved = this.#savedOf(row, place.view);
    const moved = this.movedRow(row, place);
    const pending = this.#editing.pendingOf(moved);
    const { texts: allTexts } = this.#editing;
    const texts = allTexts.isEmpty ? [] : allTexts.of(this.#editing.idOf({ kind: 'table', row: moved }) ?? '');
    const id = (pending ?? saved ?? texts[0]) && this.#editing.keylessIdOf(row);
    if (id === undefined) return { pending, saved, texts };
    const owners = this.#ownersIn(place.view);
    if (!owners.has(id)) owners.set(id, place.number);
    return owners.get(id) === place.number ? { pending, saved, texts } : unedited;
  }

  #savedOf(row: Row, view: object): SavedEdits | undefined {
    if (!this.#savedRows.hasAny(view)) return undefined;
    const id = this.#editing.idOf({ kind: 'table', row });
    const { table } = this.#editing;
    return id === undefined || !table ? undefined : this.#savedRows.of(id, view, table);
  }

  #ownersIn(view: object): Map<string, number> {
    const owners = this.#owners.get(view) ?? new Map<string, number>();
    this.#owners.set(view, owners);
    return owners;
  }

  #update(): void {
    const { inserted } = this.#editing.edits;
    if (inserted.length !== this.newRows.length) this.orderVersion++;
    const { texts } = this.#editing;
    this.newRows = inserted.map(({ id, values }) => withValues({}, [...values, ...valuesOf(texts.of(id))]));
    this.version++;
    this.#changes.fire();
  }
}

const valuesOf = (texts: readonly TypedText[]): NamedValue<EditValue>[] =>
  texts.map(({ column, text }) => ({ column, value: { kind: 'text', text } }));

/** A default is not known before the row is inserted. */
function withValues(row: Record<string, Row[string]>, values: readonly NamedValue<EditValue>[]): Row {
  for (const { column, value } of values) {
    setMember(row, column, value.kind === 'default' ? null : wireValueOf(value));
  }
  return row;
}

/** All edits of a row that were saved since its values were read. */
interface SavedEdits {
  readonly cells: readonly CellEdit[];
  readonly isDeleted: boolean;
  /** The key of the row since then. Undefined without a key. */
  readonly key: readonly StoredValue[] | undefined;
}

interface SavedStatement {
  rows: ReadonlyMap<string, PendingRow>;
  next?: SavedStatement;
}

/** Rows show the edits that were saved since they were read. Otherwise a saved cell would show its old value for a moment. */
class SavedRows {
  /** For each order, the first statement since its reading began. Statements that no order needs are garbage-collected. */
  readonly #later = new WeakMap<object, SavedStatement>();
  #end: SavedStatement = { rows: new Map() };

  /** Records that an order of the rows is read from now on. Its rows have everything that is saved now. */
  startReading(view: object): void {
    this.#later.set(view, this.#end);
  }

  add(rows: readonly PendingRow[]): void {
    const end: SavedStatement = { rows: new Map() };
    this.#end.rows = new Map(rows.map(row => [row.id, row]));
    this.#end.next = end;
    this.#end = end;
  }

  hasAny(view: object): boolean {
    return this.#later.get(view)?.next !== undefined;
  }

  /** Follows the row through the keys that it had. */
  of(id: string, view: object, table: EditableTable): SavedEdits | undefined {
    let found: SavedEdits | undefined;
    let currentId = id;
    for (let statement = this.#later.get(view); statement; statement = statement.next) {
      const saved = statement.rows.get(currentId);
      if (!saved || saved.kind === 'insert') continue;
      const hasKey = table.identity.kind === 'key' && saved.kind === 'update';
      const key = hasKey ? keyAfter(table, saved) : undefined;
      if (key) currentId = rowIdOfKey(key);
      found = {
        cells: [...(found?.cells ?? []), ...saved.cells],
        isDeleted: saved.kind === 'delete',
        key,
      };
    }
    return found;
  }
}
