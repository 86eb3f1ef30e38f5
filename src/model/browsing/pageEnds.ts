import { exactText } from '../../wire/values.ts';
import type { OrderKey } from './orderKeys.ts';

/** The row before which a page begins, by its number and its key. Without a key, the page begins with the first row. */
export interface PageEnd {
  /** How many rows come before the end. */
  readonly row: number;
  readonly key: OrderKey | undefined;
  /** How many of the key's first values many nearby rows share; 0 for none. */
  readonly tiedCount: number;
}

/** More ends are forgotten, the least recently used first. */
const maxEnds = 500;

const start: PageEnd = { row: 0, key: undefined, tiedCount: 0 };

/** The ends of fetched pages. The next page is found from the key of an end, without counting the rows before it. */
export class PageEnds {
  /** By row, the least recently used first. */
  readonly #ends = new Map<number, PageEnd>();

  /** The last known end that is not after a row. */
  upTo(row: number): PageEnd {
    let nearest = this.#ends.get(row);
    if (!nearest) {
      for (const end of this.#ends.values()) if (end.row <= row && end.row > (nearest?.row ?? 0)) nearest = end;
    }
    if (!nearest) return start;
    this.#ends.delete(nearest.row);
    this.#ends.set(nearest.row, nearest);
    return nearest;
  }

  /**
   * Adds an end. If another row was there before, rows were written in between, and later ends have other numbers. These are
   * forgotten, so that the next page begins where this one ends.
   */
  add(end: PageEnd): void {
    const former = this.#ends.get(end.row);
    if (former && !isSameKey(former, end)) {
      for (const row of this.#ends.keys()) if (row > end.row) this.#ends.delete(row);
    }
    this.#ends.delete(end.row);
    this.#ends.set(end.row, end);
    for (const oldest of this.#ends.keys()) {
      if (this.#ends.size <= maxEnds) break;
      this.#ends.delete(oldest);
    }
  }
}

const isSameKey = (one: PageEnd, other: PageEnd): boolean => exactText(one.key) === exactText(other.key);
