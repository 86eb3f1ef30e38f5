import { Emitter } from '../../base/emitter.ts';
import { setMember } from '../../base/setMember.ts';
import type { EditValue } from '../../protocol/editValues.ts';
import type { RowEdits } from '../../protocol/editing.ts';
import type { Column, Row } from '../../wire/values.ts';
import type { RowOverlay, RowPlace } from '../browsing/rowOverlay.ts';
import type { NamedValue, PendingRow } from './pendingEdits.ts';
import { wireValueOf } from './shownEdits.ts';
import type { TableEditing } from './tableEditing.ts';

/** Shows pending edits over the rows of their table. */
export class EditOverlay implements RowOverlay {
  readonly #editing: TableEditing;
  readonly #changes = new Emitter<void>();
  /** The rows without a key that show pending edits, in each order of the rows. */
  readonly #owners = new WeakMap<object, Map<string, number>>();
  #newRows: readonly Row[] = [];
  #orderVersion = 0;
  #version = 0;

  readonly onChange = this.#changes.on;

  constructor(editing: TableEditing) {
    this.#editing = editing;
    editing.edits.onChange(() => this.#update());
  }

  get newRows(): readonly Row[] {
    return this.#newRows;
  }

  get orderVersion(): number {
    return this.#orderVersion;
  }

  /** Changes with each edit. */
  get version(): number {
    return this.#version;
  }

  /**
   * Whether a row may be edited. If rows without a key are equal, one has the pending edits, and the others are not told from it
   * before it is saved.
   */
  claim(row: Row, place: RowPlace): boolean {
    const id = this.#editing.keylessIdOf(row);
    if (id === undefined) return true;
    const owners = this.#ownersIn(place.view);
    if (!this.#editing.edits.get(id)) owners.set(id, place.number);
    return this.#pendingAt(row, place) !== undefined || !this.#editing.edits.get(id);
  }

  shownRow(row: Row, place: RowPlace): Row {
    const pending = this.#pendingAt(row, place);
    if (pending?.kind !== 'update' && pending?.kind !== 'delete') return row;
    return withValues({ ...row }, pending.cells);
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
        const values = this.#editing.edits.inserted[place]?.values ?? [];
        const given = numbersOf(values.map(({ column }) => column));
        const defaults = [...columns.keys()].filter(column => !given.includes(column));
        return [{ row: place, state: 'new', columns: given, defaults }];
      }
      const pending = this.#pendingAt(row, placeAt(place));
      if (!pending || pending.kind === 'insert') return [];
      const state = pending.kind === 'delete' ? 'deleted' : 'updated';
      return [{ row: place, state, columns: numbersOf(pending.cells.map(({ column }) => column)) }];
    });
  }

  /** The pending edits that a row shows. The first of several equal rows without a key shows those of one of them. */
  #pendingAt(row: Row, { view, number }: RowPlace): PendingRow | undefined {
    const pending = this.#editing.pendingOf(row);
    const id = pending && this.#editing.keylessIdOf(row);
    if (id === undefined) return pending;
    const owners = this.#ownersIn(view);
    if (!owners.has(id)) owners.set(id, number);
    return owners.get(id) === number ? pending : undefined;
  }

  #ownersIn(view: object): Map<string, number> {
    const owners = this.#owners.get(view) ?? new Map<string, number>();
    this.#owners.set(view, owners);
    return owners;
  }

  #update(): void {
    const { inserted } = this.#editing.edits;
    if (inserted.length !== this.#newRows.length) this.#orderVersion++;
    this.#newRows = inserted.map(({ values }) => withValues({}, values));
    this.#version++;
    this.#changes.fire();
  }
}

/** A default is not known before the row is inserted. */
function withValues(row: Record<string, Row[string]>, values: readonly NamedValue<EditValue>[]): Row {
  for (const { column, value } of values) {
    setMember(row, column, value.kind === 'default' ? null : wireValueOf(value));
  }
  return row;
}
