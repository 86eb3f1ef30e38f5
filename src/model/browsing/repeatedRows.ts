import type { Row } from '../../wire/values.ts';
import { keyOf } from './tableKey.ts';

/**
 * Rows that came a second time, because somebody wrote between two pages. They are noticed by the primary key among the
 * pages that are kept, and what came later counts as the repetition.
 */
export class RepeatedRows {
  #key: readonly string[] = [];
  /** Of each page that is kept, the rows by their keys. */
  readonly #seen = new Map<number, ReadonlySet<string>>();
  /** Of each page that has any, the places of its repetitions. */
  readonly #repeated = new Map<number, readonly number[]>();

  /** The primary key became known. Pages that came before have to be taken again. */
  know(key: readonly string[]): void {
    this.#key = key;
  }

  /** Whether repetitions can be noticed at all. */
  get noticed(): boolean {
    return this.#key.length > 0;
  }

  get count(): number {
    return this.#repeated.values().reduce((sum, places) => sum + places.length, 0);
  }

  /** The places within a page whose rows stand elsewhere as well. */
  placesOn(page: number): readonly number[] {
    return this.#repeated.get(page) ?? [];
  }

  /** Takes all rows of a page that are there. */
  take(page: number, rows: readonly Row[]): void {
    if (!this.noticed) return;
    this.#seen.delete(page);
    const own = new Set<string>();
    const places: number[] = [];
    for (const [place, row] of rows.entries()) {
      const key = keyOf(row, this.#key);
      if (key === undefined) continue;
      if (own.has(key) || this.#seen.values().some(keys => keys.has(key))) places.push(place);
      own.add(key);
    }
    this.#seen.set(page, own);
    if (places.length > 0) this.#repeated.set(page, places);
    else this.#repeated.delete(page);
  }

  /** The page is kept no longer. What it repeated stays said. */
  letGo(page: number): void {
    this.#seen.delete(page);
  }
}
