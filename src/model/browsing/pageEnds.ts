import { exactText } from '../../wire/values.ts';
import type { OrderKey } from './orderKeys.ts';

/** A place between two rows, where a page ends and the next one begins. Without a key, it is before the first row. */
export interface PageEnd {
  /** The number of rows before the end. */
  readonly row: number;
  readonly key: OrderKey | undefined;
  /** How many first values of the key are shared by many rows nearby. 0 for none. */
  readonly tiedCount: number;
}

/** More ends are forgotten, the least recently used first. */
const maxEnds = 500;

const start: PageEnd = { row: 0, key: undefined, tiedCount: 0 };

/** The ends of fetched pages. A page is read from the key of an end, without counting the rows before it. */
export class PageEnds {
  /** By row, the least recently used first. */
  readonly #ends = new Map<number, PageEnd>();

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

  /** If another row was at this end before, rows were written in between. Then later ends have other numbers and are forgotten. */
  add(end: PageEnd): void {
    const former = this.#ends.get(end.row);
    if (former && exactText(former.key) !== exactText(end.key)) {
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
