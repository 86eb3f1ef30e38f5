import { Emitter } from '../../base/emitter.ts';
import { setMember } from '../../base/setMember.ts';
import type { EditValue } from '../../protocol/editValues.ts';
import type { RowEdits } from '../../protocol/editing.ts';
import type { Column, Row } from '../../wire/values.ts';
import type { RowOverlay } from '../browsing/rowOverlay.ts';
import type { NamedValue } from './pendingEdits.ts';
import { wireValueOf } from './shownEdits.ts';
import type { TableEditing } from './tableEditing.ts';

/** Shows pending edits over the rows of their table. */
export class EditOverlay implements RowOverlay {
  readonly #editing: TableEditing;
  readonly #changes = new Emitter<void>();
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

  shownRow(row: Row): Row {
    const pending = this.#editing.pendingOf(row);
    if (pending?.kind !== 'update' && pending?.kind !== 'delete') return row;
    return withValues({ ...row }, pending.cells);
  }

  /** The marks of rows that are shown from `start` on. Undefined stands for a new row. */
  marksOf(rows: readonly (Row | undefined)[], start: number, columns: readonly Column[]): RowEdits[] {
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
      const pending = this.#editing.pendingOf(row);
      if (!pending || pending.kind === 'insert') return [];
      const state = pending.kind === 'delete' ? 'deleted' : 'updated';
      return [{ row: place, state, columns: numbersOf(pending.cells.map(({ column }) => column)) }];
    });
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
