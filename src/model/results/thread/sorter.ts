import { textClass } from './compare.ts';
import type { Job } from './job.ts';
import { PairSort } from './pairSort.ts';
import type { PlacedRows } from './placedRows.ts';
import type { SortColumn } from './sortColumn.ts';
import { chunkBytes, goesOn, TextWindow } from './textWindow.ts';

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

/** A range of places whose texts are the same up to so far in the window. */
type Part = readonly [from: number, to: number, within: number];

interface Outcome {
  /** What the window does not tell apart. */
  readonly further: Groups;
  readonly equal: Groups;
}

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
  readonly #placed: PlacedRows;
  #equal: Groups;

  constructor(job: Job, count: number, placed: PlacedRows) {
    this.#job = job;
    this.#count = count;
    this.#placed = placed;
    this.order = new Uint32Array(count);
    for (let place = 0; place < count; place++) this.order[place] = place;
    this.#keys = new Float64Array(count);
    this.#pairs = new PairSort(this.#keys, this.order);
    this.#equal = new Groups(2);
    this.#equal.add(0, count);
  }

  /** Whether there is anything left that another column could put in order. */
  get hasEqual(): boolean {
    return this.#equal.length > 0;
  }

  /** By the most important column first. */
  async sortBy(column: SortColumn): Promise<void> {
    if (!this.hasEqual) return;
    column.window.close();
    this.#equal = await this.#sortByColumn(column, this.#equal);
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
      const further = new Groups(this.#count);
      for (let at = 0; at < open.length; at += 2) {
        await this.#sortGroup(column, [open.bound(at), open.bound(at + 1), 0], { further, equal });
      }
      open = further;
      if (open.length > 0) await this.#readOn(column, open);
    }
  }

  /** Sorts texts as far as the window shows them, from where they begin to differ. */
  async #sortGroup(column: SortColumn, group: Part, { further, equal }: Outcome): Promise<void> {
    const { window, sign } = column;
    const parts = [group];
    for (let part = parts.pop(); part; part = parts.pop()) {
      const [from, to] = part;
      const within = this.#sameUpTo(window, part);
      if (within >= window.length) {
        further.add(from, to);
        continue;
      }
      await this.#sortRange(from, to, place => sign * window.keyOf(place, within));
      for (const [begin, end] of this.#equalRanges(from, to)) {
        if (!goesOn(window.keyOf(this.order[begin]!, within))) equal.add(begin, end);
        else parts.push([begin, end, within + chunkBytes]);
      }
    }
  }

  #sameUpTo(window: TextWindow, [from, to, within]: Part): number {
    const first = this.order[from]!;
    let same = window.length;
    for (let at = from + 1; at < to && same > within; at++) {
      same = window.sameUpTo(first, this.order[at]!, within, same);
    }
    return same;
  }

  async #readOn(column: SortColumn, open: Groups): Promise<void> {
    const wanted = new Uint8Array(this.#count);
    let texts = 0;
    for (let at = 0; at < open.length; at += 2) {
      for (let nth = open.bound(at); nth < open.bound(at + 1); nth++, texts++) wanted[this.order[nth]!] = 1;
    }
    column.window = new TextWindow(column.window.begin + column.window.length, texts, this.#count);
    const { walker } = this.#placed;
    await this.#placed.read(
      place => column.addToWindow(place, walker),
      place => wanted[place] === 1,
    );
    column.window.close();
  }

  /** Sorts each group by a key and gives the groups that it leaves equal. */
  async #refine(groups: Groups, keyOf: (place: number) => number): Promise<Groups> {
    const same = new Groups(this.#count);
    for (let group = 0; group < groups.length; group += 2) {
      const [from, to] = [groups.bound(group), groups.bound(group + 1)];
      await this.#sortRange(from, to, keyOf);
      for (const [begin, end] of this.#equalRanges(from, to)) same.add(begin, end);
    }
    return same;
  }

  async #sortRange(from: number, to: number, keyOf: (place: number) => number): Promise<void> {
    for (let at = from; at < to; at++) this.#keys[at] = keyOf(this.order[at]!);
    for (const _ of this.#pairs.sort(from, to)) if (this.#job.isTurnOver) await this.#job.turn();
    if (this.#job.isTurnOver) await this.#job.turn();
  }

  /** Where the keys are the same more than once. */
  *#equalRanges(from: number, to: number): Generator<readonly [begin: number, end: number]> {
    const keys = this.#keys;
    for (let at = from + 1, begin = from; at <= to; at++) {
      if (at < to && keys[at] === keys[begin]) continue;
      if (at - begin > 1) yield [begin, at];
      begin = at;
    }
  }
}
