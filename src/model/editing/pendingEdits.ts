import { arrayOf, asCount, asString, type Infer, object, optional, variant } from '../../base/decode.ts';
import { Emitter } from '../../base/emitter.ts';
import { isSameName } from '../../sql/text/names.ts';
import {
  decodeEditValue,
  decodeStoredValue,
  type EditValue,
  isSameValue,
  type StoredValue,
} from '../../protocol/editValues.ts';

/** The names of fields never change: drafts have them, and the window that reads a draft may have another version. */

const decodeCell = object({ column: asString, base: decodeStoredValue, value: decodeEditValue });
/** A cell with a pending value, and the value that the table had when the user began to edit it. */
export type CellEdit = Infer<typeof decodeCell>;

export interface NamedValue<V extends EditValue = StoredValue> {
  readonly column: string;
  readonly value: V;
}

/** `start` has the first characters or bytes, to show them to the user. */
const decodeCut = object({ column: asString, bytes: asCount, start: decodeStoredValue });
/** A value that is too long to be kept with an edit. */
export type CutValue = Infer<typeof decodeCut>;

const decodeTableRow = object({
  id: asString,
  key: arrayOf(decodeStoredValue),
  /** Other values that the row had: those of unique keys with an edited column, or all that its save compares with the table. */
  seenValues: arrayOf(object({ column: asString, value: decodeStoredValue })),
  /** The edited cells of a row to delete come back when the user keeps the row. */
  cells: arrayOf(decodeCell),
  /** The values that `seenValues` lacks, because they are too long. */
  long: optional(arrayOf(decodeCut)),
});

export const decodePendingRow = variant('kind', {
  update: decodeTableRow,
  delete: decodeTableRow,
  /** Columns without a value are left out of the INSERT. */
  insert: object({ id: asString, values: arrayOf(object({ column: asString, value: decodeEditValue })) }),
});
export type PendingRow = Infer<typeof decodePendingRow>;
export type UpdatedRow = Extract<PendingRow, { kind: 'update' }>;
export type DeletedRow = Extract<PendingRow, { kind: 'delete' }>;
export type InsertedRow = Extract<PendingRow, { kind: 'insert' }>;
export type WrittenRow = UpdatedRow | InsertedRow;

/** A pending row before and after a change. Undefined if there is no such row. */
export interface RowChange {
  readonly id: string;
  readonly before: PendingRow | undefined;
  readonly after: PendingRow | undefined;
}

export interface EditCounts {
  readonly updated: number;
  readonly deleted: number;
  readonly inserted: number;
}

/** The edits of one table that are not saved yet. Rows are immutable, so that undoing needs no copies. */
export class PendingEdits {
  readonly #rows = new Map<string, PendingRow>();
  /** The new rows, the last one first, as the grid shows them. */
  inserted: readonly InsertedRow[] = [];
  counts: EditCounts = { updated: 0, deleted: 0, inserted: 0 };
  readonly #changes = new Emitter<void>();

  readonly onChange = this.#changes.on;

  get rows(): Iterable<PendingRow> {
    return this.#rows.values();
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  get(id: string): PendingRow | undefined {
    return this.#rows.get(id);
  }

  apply(changes: readonly RowChange[], isBackwards = false): void {
    let changesInserted = false;
    for (const { id, before, after } of isBackwards ? changes.toReversed() : changes) {
      const from = this.#rows.get(id);
      const to = isBackwards ? before : after;
      this.#count(from, -1);
      this.#count(to, 1);
      if (to) this.#rows.set(id, to);
      else this.#rows.delete(id);
      changesInserted ||= from?.kind === 'insert' || to?.kind === 'insert';
    }
    if (changesInserted) {
      this.inserted = [...this.#rows.values()].filter(row => row.kind === 'insert').toReversed();
    }
    this.#changes.fire();
  }

  /** Replaces all edits, for example with those of a draft. */
  replace(rows: readonly PendingRow[]): void {
    this.apply([
      ...[...this.#rows.values()].map(row => ({ id: row.id, before: row, after: undefined })),
      ...rows.map(row => ({ id: row.id, before: undefined, after: row })),
    ]);
  }

  #count(row: PendingRow | undefined, step: 1 | -1): void {
    if (!row) return;
    const name = row.kind === 'update' ? 'updated' : row.kind === 'delete' ? 'deleted' : 'inserted';
    this.counts = { ...this.counts, [name]: this.counts[name] + step };
  }
}

/** A row with another value in a cell. Undefined if no edited cell is left. */
export function withCell(row: UpdatedRow, edit: CellEdit): UpdatedRow | undefined {
  const others = row.cells.filter(({ column }) => column !== edit.column);
  // `concat` reserves no memory for more elements. A hundred thousand rows may have a list.
  const cells = isSameValue(edit.base, edit.value) ? others : others.concat(edit);
  return cells.length === 0 ? undefined : { ...row, cells };
}

/** A row without its edits, or without those of some columns. Undefined if no edit is left. */
export function revertedRow(row: PendingRow, columns: readonly string[] | undefined): PendingRow | undefined {
  if (row.kind === 'delete') return row.cells.length > 0 ? { ...row, kind: 'update' } : undefined;
  if (row.kind === 'insert') {
    if (!columns) return undefined;
    return { ...row, values: row.values.filter(({ column }) => !columns.includes(column)) };
  }
  const cells = columns ? row.cells.filter(({ column }) => !columns.includes(column)) : [];
  return cells.length === 0 ? undefined : { ...row, cells };
}

/** The value that an edit gives a column. Undefined for a column that it leaves alone, or that gets its default. */
export function editedValue(row: WrittenRow, name: string): StoredValue | undefined {
  const values: readonly NamedValue<EditValue>[] = row.kind === 'update' ? row.cells : row.values;
  const value = values.find(({ column }) => isSameName(column, name))?.value;
  return value === undefined || value.kind === 'default' ? undefined : value;
}
