import type { Row } from '../../wire/values.ts';
import { rowKeyOf } from './browsedTable.ts';

/**
 * Finds rows that arrived a second time, because somebody wrote to the table between two fetches. Rows are compared by
 * primary key with those of the cached pages. The row that arrived later counts as the repetition.
 */
export class RepeatedRows {
  #primaryKey: readonly string[] = [];
  /** The row keys of each cached page. */
  readonly #rowKeys = new Map<number, ReadonlySet<string>>();
  /** The indexes of repeated rows within each page that has any. */
  readonly #repeated = new Map<number, readonly number[]>();

  /** Pages that arrived earlier must be added again. */
  setPrimaryKey(primaryKey: readonly string[]): void {
    this.#primaryKey = primaryKey;
  }

  /** Whether repeated rows can be found: the table has a known primary key. */
  get isTracking(): boolean {
    return this.#primaryKey.length > 0;
  }

  get count(): number {
    return this.#repeated.values().reduce((sum, indexes) => sum + indexes.length, 0);
  }

  /** The indexes of a page's rows that are in another place as well. */
  onPage(page: number): readonly number[] {
    return this.#repeated.get(page) ?? [];
  }

  /** Compares all rows of a page that have arrived. */
  addPage(page: number, rows: readonly Row[]): void {
    if (!this.isTracking) return;
    this.#rowKeys.delete(page);
    const pageKeys = new Set<string>();
    const indexes: number[] = [];
    for (const [index, row] of rows.entries()) {
      const key = rowKeyOf(row, this.#primaryKey);
      if (key === undefined) continue;
      if (pageKeys.has(key) || this.#rowKeys.values().some(keys => keys.has(key))) indexes.push(index);
      pageKeys.add(key);
    }
    this.#rowKeys.set(page, pageKeys);
    if (indexes.length > 0) this.#repeated.set(page, indexes);
    else this.#repeated.delete(page);
  }

  /** The cache dropped the page. Its repeated rows still count. */
  dropPage(page: number): void {
    this.#rowKeys.delete(page);
  }
}
