import type { CellEdit, PendingRow } from './pendingEdits.ts';

/** All edits of a row that were saved since its values were read. */
export interface SavedEdits {
  readonly cells: readonly CellEdit[];
  readonly isDeleted: boolean;
}

/** The rows of one statement, and those of the statements after it. */
interface SavedStatement {
  rows: ReadonlyMap<string, PendingRow>;
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
  add(rows: readonly PendingRow[]): void {
    const end: SavedStatement = { rows: new Map() };
    this.#end.rows = new Map(rows.map(row => [row.id, row]));
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
      const saved = statement.rows.get(id);
      if (!saved || saved.kind === 'insert') continue;
      found = {
        cells: [...(found?.cells ?? []), ...saved.cells],
        isDeleted: saved.kind === 'delete',
      };
    }
    return found;
  }
}
