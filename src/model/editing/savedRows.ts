import type { CellEdit, PendingRow } from './pendingEdits.ts';

/** A row that a statement has saved. */
export interface SavedRow {
  /** Its edits before the statement. */
  readonly row: PendingRow;
  /** The id of the edits that are still pending: a row with another key has another one. */
  readonly idAfter: string;
}

/** All edits of a row that were saved since its values were read. */
export interface SavedEdits {
  readonly cells: readonly CellEdit[];
  readonly isDeleted: boolean;
  /** The id of the edits that are still pending. */
  readonly id: string;
}

/** The rows of one statement, and those of the statements after it. */
interface SavedStatement {
  rows: ReadonlyMap<string, SavedRow>;
  next?: SavedStatement;
}

/**
 * The edits saved since the rows of a table were read. The rows show them until they are read again: otherwise a saved cell would show
 * its old value for a moment.
 */
export class SavedRows {
  /** The first statement after the reading of each order began. Statements that no order needs any more are not kept. */
  readonly #later = new WeakMap<object, SavedStatement>();
  #end: SavedStatement = { rows: new Map() };

  /** Records that an order of the rows is read from now on. Its rows have everything that is saved now. */
  startReading(view: object): void {
    this.#later.set(view, this.#end);
  }

  /** Takes the rows that a statement has saved. */
  add(rows: readonly SavedRow[]): void {
    const end: SavedStatement = { rows: new Map() };
    this.#end.rows = new Map(rows.map(saved => [saved.row.id, saved]));
    this.#end.next = end;
    this.#end = end;
  }

  /** Whether anything was saved since the reading of an order began. */
  hasAny(view: object): boolean {
    return this.#later.get(view)?.next !== undefined;
  }

  /** The saved edits of a row since the reading of an order began. */
  of(id: string, view: object): SavedEdits | undefined {
    let found: SavedEdits | undefined;
    for (let statement = this.#later.get(view); statement; statement = statement.next) {
      const saved = statement.rows.get(found?.id ?? id);
      if (!saved || saved.row.kind === 'insert') continue;
      const { kind, cells } = saved.row;
      found = {
        cells: [...(found?.cells ?? []), ...cells],
        isDeleted: kind === 'delete',
        id: saved.idAfter,
      };
    }
    return found;
  }
}
