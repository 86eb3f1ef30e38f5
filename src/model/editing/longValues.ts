import type { Project } from '../../client/index.ts';
import type { StoredValue } from '../../protocol/editValues.ts';
import type { EditableTable } from './editableTable.ts';
import { readExactRows, wantedOfEdited } from './exactRows.ts';
import type { CutValue, DeletedRow, NamedValue } from './pendingEdits.ts';

/** A longer value is not kept. It is also a part of the statement that deletes its row, and services limit their size. */
const maxValueBytes = 1_000_000;
/** All kept values together. They are in memory until the table is closed. */
const maxKeptBytes = 32_000_000;

/** The long values of rows that are deleted, so that undoing a saved deletion brings them back. */
export class LongValues {
  readonly #values = new Map<DeletedRow, readonly NamedValue[]>();
  #bytes = 0;

  /** The kept values of a row. */
  of(row: DeletedRow): readonly NamedValue[] {
    return this.#values.get(row) ?? [...this.#values].findLast(([other]) => other.id === row.id)?.[1] ?? [];
  }

  /** The row with its kept values among those that the deletion compares with the table. */
  withKept(row: DeletedRow): DeletedRow {
    const kept = this.#values.get(row);
    if (!row.long || !kept) return row;
    const isKept = (column: string): boolean => kept.some(named => named.column === column);
    return {
      ...row,
      seenValues: [...row.seenValues, ...kept],
      long: row.long.filter(({ column }) => !isKept(column)),
    };
  }

  /** Reads the long values of rows that will be deleted. Returns the number of rows that have values too long to keep. */
  async read(
    project: Pick<Project, 'query'>,
    table: EditableTable,
    rows: readonly DeletedRow[],
    signal: AbortSignal | undefined,
  ): Promise<number> {
    let lostCount = 0;
    for (const row of rows) {
      const { long = [] } = row;
      if (long.length === 0 || this.#values.has(row)) continue;
      const bytes = long.reduce((sum, value) => sum + value.bytes, 0);
      if (long.some(value => value.bytes > maxValueBytes) || this.#bytes + bytes > maxKeptBytes) {
        lostCount++;
        continue;
      }
      const [present] = await readExactRows(project, {
        table,
        requestedRows: [wantedOfEdited(table, row)],
        columns: long.map(({ column }) => column),
        signal,
      });
      // Values of another size were changed since. The save asks about them.
      const values = (present?.values ?? []).filter(({ column, value }) => {
        const base = long.find(other => other.column === column);
        return base !== undefined && isCutOf(base, value);
      });
      if (values.length < long.length) continue;
      this.#values.set(row, values);
      this.#bytes += bytes;
    }
    return lostCount;
  }
}

/** Whether a long value may be another one, as far as its storage class, size and start say. */
export const isCutOf = ({ bytes, start }: CutValue, value: StoredValue): boolean =>
  start.kind === value.kind && bytes === bytesOfValue(value) && longText(value).startsWith(longText(start));

const longText = (value: StoredValue): string =>
  value.kind === 'blob' ? value.hex : value.kind === 'text' ? value.text : '';

const bytesOfValue = (value: StoredValue): number =>
  value.kind === 'blob' ? value.hex.length / 2 : value.kind === 'text' ? Buffer.byteLength(value.text) : 0;
