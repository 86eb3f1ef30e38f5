import { textClass } from './compare.ts';
import type { Job } from './job.ts';
import { PairSort } from './pairSort.ts';
import { chunkBytes, goesOn, type SortColumn, TextWindow } from './sortColumn.ts';

/** Ranges of places that are still equal: where each begins and ends, one after another. */
class Groups {
  readonly #bounds: Uint32Array;
  #length = 0;

  constructor(places: number) {
    // No more than half of the places begin a group of two.
    this.#bounds = new Uint32Array(places + 2);
  }

  get length(): number {
    return this.#length;
  }

  bound(at: number): number {
    return this.#bounds[at]!;
  }

  add(from: number, to: number): void {
    if (to - from < 2) return;
    this.#bounds[this.#length++] = from;
    this.#bounds[this.#length++] = to;
  }

  addAll(others: Groups): void {
    for (let at = 0; at < others.length; at += 2) this.add(others.bound(at), others.bound(at + 1));
  }
}

/** Reads the windows on the texts at these places anew. */
export type ReadWindow = (column: SortColumn, isWanted: (place: number) => boolean) => Promise<void>;

/**
 * Puts places in order, by one key after another: what a key leaves equal is sorted by the next one, down to chunks of
 * texts. Texts that are equal as far as they were kept are read on from the file, as much at a time as memory allows.
 */
export class Sorter {
  /** The places in order. */
  readonly order: Uint32Array;
  readonly #job: Job;
  readonly #count: number;
  readonly #keys: Float64Array;
  readonly #pairs: PairSort;
  readonly #readWindow: ReadWindow;

  constructor(job: Job, count: number, readWindow: ReadWindow) {
    this.#job = job;
    this.#count = count;
    this.#readWindow = readWindow;
    this.order = new Uint32Array(count);
    for (let place = 0; place < count; place++) this.order[place] = place;
    this.#keys = new Float64Array(count);
    this.#pairs = new PairSort(this.#keys, this.order);
  }

  async sortBy(columns: readonly SortColumn[]): Promise<void> {
    let equal = new Groups(2);
    equal.add(0, this.#count);
    for (const column of columns) {
      equal = await this.#sortByColumn(column, equal);
      if (equal.length === 0) return;
    }
  }

  async #sortByColumn(column: SortColumn, groups: Groups): Promise<Groups> {
    const { sign, classes, keys, rests } = column;
    const sameClass = await this.#refine(groups, place => sign * classes[place]!);
    const sameKey = await this.#refine(sameClass, place => sign * keys[place]!);
    const equal = new Groups(this.#count);
    const texts = new Groups(this.#count);
    const numbers = new Groups(this.#count);
    for (let at = 0; at < sameKey.length; at += 2) {
      const place = this.order[sameKey.bound(at)]!;
      const isOpen = classes[place] === textClass && goesOn(keys[place]!);
      const target = isOpen ? texts : rests ? numbers : equal;
      target.add(sameKey.bound(at), sameKey.bound(at + 1));
    }
    if (rests) equal.addAll(await this.#refine(numbers, place => sign * rests[place]!));
    await this.#sortTexts(column, texts, equal);
    return equal;
  }

  /** What turns out to be equal to its end is added to `equal`. */
  async #sortTexts(column: SortColumn, texts: Groups, equal: Groups): Promise<void> {
    for (let open = texts; open.length > 0;) {
      const { window, sign } = column;
      for (let within = 0; within < window.length && open.length > 0; within += chunkBytes) {
        const same = await this.#refine(open, place => sign * window.keyOf(place, within));
        open = new Groups(this.#count);
        for (let at = 0; at < same.length; at += 2) {
          const key = window.keyOf(this.order[same.bound(at)]!, within);
          (goesOn(key) ? open : equal).add(same.bound(at), same.bound(at + 1));
        }
      }
      if (open.length > 0) await this.#readOn(column, open);
    }
  }

  async #readOn(column: SortColumn, open: Groups): Promise<void> {
    const wanted = new Uint8Array(this.#count);
    let texts = 0;
    for (let at = 0; at < open.length; at += 2) {
      for (let nth = open.bound(at); nth < open.bound(at + 1); nth++, texts++) wanted[this.order[nth]!] = 1;
    }
    column.window = new TextWindow(column.window.begin + column.window.length, texts, this.#count);
    await this.#readWindow(column, place => wanted[place] === 1);
  }

  /** Sorts each group by a key and gives the groups that it leaves equal. */
  async #refine(groups: Groups, keyOf: (place: number) => number): Promise<Groups> {
    const same = new Groups(this.#count);
    const keys = this.#keys;
    for (let group = 0; group < groups.length; group += 2) {
      const [from, to] = [groups.bound(group), groups.bound(group + 1)];
      for (let at = from; at < to; at++) keys[at] = keyOf(this.order[at]!);
      for (const _ of this.#pairs.sort(from, to)) if (this.#job.isDue) await this.#job.turn();
      for (let at = from + 1, begin = from; at <= to; at++) {
        if (at < to && keys[at] === keys[begin]) continue;
        same.add(begin, at);
        begin = at;
      }
      if (this.#job.isDue) await this.#job.turn();
    }
    return same;
  }
}
