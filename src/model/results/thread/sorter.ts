import {
  textClass,
  storageClassAt,
  nullClass,
  numberClass,
  orderedNumberAt,
  roundingErrorAt,
  textBytesAt,
} from './compare.ts';
import type { Job } from '../../job.ts';
import { comparisonSort, PairSort } from './pairSort.ts';
import { chunkBytes, isCutKey, TextWindow, chunkKey } from './textWindow.ts';
import type { RowWalker } from './rowWalker.ts';
import type { RowsFile } from './rowsFile.ts';

/** Ranges of places whose rows are equal by the keys so far: begin and end of each, one after another. */
class EqualRanges {
  readonly #bounds: Uint32Array;
  #length = 0;

  constructor(places: number) {
    // At most half of the places begin a range, since a range has two places or more.
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

  addAll(others: EqualRanges): void {
    for (let at = 0; at < others.length; at += 2) this.add(others.bound(at), others.bound(at + 1));
  }
}

/** A range of places whose texts are the same up to an offset in the window. */
interface EqualTexts {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
  /** How many successive chunks split hardly anything off this range. */
  readonly poorSplits: number;
}

/** A chunk that leaves a larger share than this in one range has split hardly anything off. */
const poorSplitShare = 7 / 8;
/** After this number of poor splits, comparing whole texts is faster. Long texts that differ in length alone need it. */
const maxPoorSplits = 3;

interface SortedTexts {
  readonly further: EqualRanges;
  readonly equal: EqualRanges;
}

/**
 * Sorts places by one key after another. Each key sorts the ranges that earlier keys left equal, down to chunks of texts. Texts
 * that are equal in the window are read on from the file, as much at a time as the memory budget allows.
 */
export class Sorter {
  readonly order: Uint32Array;
  readonly #job: Job;
  readonly #count: number;
  readonly #keys: Float64Array;
  readonly #pairs: PairSort;
  readonly #readPlaces: ReturnType<typeof placedRows>;
  #equalRanges: EqualRanges;

  constructor(job: Job, count: number, readPlaces: ReturnType<typeof placedRows>) {
    this.#job = job;
    this.#count = count;
    this.#readPlaces = readPlaces;
    this.order = new Uint32Array(count);
    for (let place = 0; place < count; place++) this.order[place] = place;
    this.#keys = new Float64Array(count);
    this.#pairs = new PairSort(this.#keys, this.order);
    this.#equalRanges = new EqualRanges(2);
    this.#equalRanges.add(0, count);
  }

  get hasEqual(): boolean {
    return this.#equalRanges.length > 0;
  }

  /** Call it with the most important column first. */
  async sortBy(column: SortColumn): Promise<void> {
    if (!this.hasEqual) return;
    column.window.close();
    this.#equalRanges = await this.#sortByColumn(column, this.#equalRanges);
  }

  async #sortByColumn(column: SortColumn, ranges: EqualRanges): Promise<EqualRanges> {
    const { sign, classes, keys, roundingErrors } = column;
    const sameClass = await this.#refine(ranges, place => sign * classes[place]!);
    const sameKey = await this.#refine(sameClass, place => sign * keys[place]!);
    const equal = new EqualRanges(this.#count);
    const texts = new EqualRanges(this.#count);
    const numbers = new EqualRanges(this.#count);
    for (let at = 0; at < sameKey.length; at += 2) {
      const place = this.order[sameKey.bound(at)]!;
      const isUndecided = classes[place] === textClass && isCutKey(keys[place]!);
      const target = isUndecided ? texts : roundingErrors ? numbers : equal;
      target.add(sameKey.bound(at), sameKey.bound(at + 1));
    }
    if (roundingErrors) equal.addAll(await this.#refine(numbers, place => sign * roundingErrors[place]!));
    await this.#sortTexts(column, texts, equal);
    return equal;
  }

  async #sortTexts(column: SortColumn, texts: EqualRanges, equal: EqualRanges): Promise<void> {
    for (let undecided = texts; undecided.length > 0;) {
      const further = new EqualRanges(this.#count);
      for (let at = 0; at < undecided.length; at += 2) {
        const range = { from: undecided.bound(at), to: undecided.bound(at + 1), offset: 0, poorSplits: 0 };
        await this.#sortEqualTexts(column, range, { further, equal });
      }
      undecided = further;
      if (undecided.length > 0) await this.#moveWindow(column, undecided);
    }
  }

  /** Sorts the texts of a range as far as the window shows them, chunk by chunk from where they begin to differ. */
  async #sortEqualTexts(column: SortColumn, whole: EqualTexts, sorted: SortedTexts): Promise<void> {
    const { window, sign } = column;
    const ranges = [whole];
    for (let range = ranges.pop(); range; range = ranges.pop()) {
      const { from, to } = range;
      const offset = this.#sameUpTo(window, range);
      if (offset >= window.length) {
        sorted.further.add(from, to);
        continue;
      }
      if (range.poorSplits >= maxPoorSplits) {
        await this.#sortByComparing(column, { ...range, offset }, sorted);
        continue;
      }
      await this.#sortRange(from, to, place => sign * window.keyOf(place, offset));
      for (const [begin, end] of this.#equalKeys(from, to)) {
        const isPoorSplit = end - begin > (to - from) * poorSplitShare;
        const poorSplits = isPoorSplit ? range.poorSplits + 1 : 0;
        if (!isCutKey(window.keyOf(this.order[begin]!, offset))) sorted.equal.add(begin, end);
        else ranges.push({ from: begin, to: end, offset: offset + chunkBytes, poorSplits });
      }
    }
  }

  async #sortByComparing({ window, sign }: SortColumn, range: EqualTexts, sorted: SortedTexts): Promise<void> {
    const { from, to, offset } = range;
    const compare = (one: number, other: number): number => sign * window.compare(one, other, offset);
    for (const _ of comparisonSort(this.order.subarray(from, to), compare)) {
      if (this.#job.isTurnOver) await this.#job.turn();
    }
    let begin = from;
    for (let at = from + 1; at <= to; at++) {
      const first = this.order[begin]!;
      if (at < to && compare(first, this.order[at]!) === 0) continue;
      (window.hasMore(first) ? sorted.further : sorted.equal).add(begin, at);
      begin = at;
    }
  }

  /** The offset up to which all texts of a range are the same. */
  #sameUpTo(window: TextWindow, { from, to, offset }: EqualTexts): number {
    const first = this.order[from]!;
    let same = window.length;
    for (let at = from + 1; at < to && same > offset; at++) {
      same = window.sameUpTo(first, this.order[at]!, offset, same);
    }
    return same;
  }

  /** Reads the next window of the texts that are still undecided. */
  async #moveWindow(column: SortColumn, undecided: EqualRanges): Promise<void> {
    const isUndecided = new Uint8Array(this.#count);
    let textCount = 0;
    for (let at = 0; at < undecided.length; at += 2) {
      for (let nth = undecided.bound(at); nth < undecided.bound(at + 1); nth++) {
        isUndecided[this.order[nth]!] = 1;
        textCount++;
      }
    }
    column.window = new TextWindow(column.window.begin + column.window.length, textCount, this.#count);
    await this.#readPlaces(
      (place, walker) => column.addToWindow(place, walker),
      place => isUndecided[place] === 1,
    );
    column.window.close();
  }

  /** Sorts each range by a key, and gives the ranges that are still equal. */
  async #refine(ranges: EqualRanges, keyOf: (place: number) => number): Promise<EqualRanges> {
    const stillEqual = new EqualRanges(this.#count);
    for (let range = 0; range < ranges.length; range += 2) {
      const from = ranges.bound(range);
      const to = ranges.bound(range + 1);
      await this.#sortRange(from, to, keyOf);
      for (const [begin, end] of this.#equalKeys(from, to)) stillEqual.add(begin, end);
    }
    return stillEqual;
  }

  async #sortRange(from: number, to: number, keyOf: (place: number) => number): Promise<void> {
    for (let at = from; at < to; at++) this.#keys[at] = keyOf(this.order[at]!);
    for (const _ of this.#pairs.sort(from, to)) if (this.#job.isTurnOver) await this.#job.turn();
    if (this.#job.isTurnOver) await this.#job.turn();
  }

  *#equalKeys(from: number, to: number): Generator<readonly [begin: number, end: number]> {
    const keys = this.#keys;
    let begin = from;
    for (let at = from + 1; at <= to; at++) {
      if (at < to && keys[at] === keys[begin]) continue;
      if (at - begin > 1) yield [begin, at];
      begin = at;
    }
  }
}

/** The sort keys of one column, numbered by the places of the rows among those that are sorted. */
export class SortColumn {
  readonly #slot: number;
  readonly #places: number;
  readonly sign: number;
  readonly classes: Uint8Array;
  /** A number as a double, or the first chunk of a text. */
  readonly keys: Float64Array;
  /** The differences between integers and their doubles. Undefined while none differs. */
  roundingErrors: Float64Array | undefined;
  window: TextWindow;

  constructor(slot: number, descending: boolean, places: number) {
    this.#slot = slot;
    this.#places = places;
    this.sign = descending ? -1 : 1;
    this.classes = new Uint8Array(places);
    this.keys = new Float64Array(places);
    this.window = new TextWindow(chunkBytes, places, places);
  }

  add(place: number, walker: RowWalker): void {
    const slot = this.#slot;
    const from = slot === -1 ? -1 : walker.from[slot]!;
    const bytes = walker.bytes as Buffer;
    const kind = storageClassAt(bytes, from);
    this.classes[place] = kind;
    if (kind === nullClass) return;
    const to = walker.to[slot]!;
    if (kind === numberClass) {
      const number = orderedNumberAt(bytes, from, to);
      this.keys[place] = number;
      const roundingError = roundingErrorAt(bytes, from, to, number);
      if (roundingError !== 0) (this.roundingErrors ??= new Float64Array(this.#places))[place] = roundingError;
    } else {
      const [text, first, past] = textBytesAt(bytes, from, to, walker.flags[slot]!);
      this.keys[place] = chunkKey(text, first, past);
      if (past - first > chunkBytes) this.window.add(place, text, first, past);
    }
  }

  addToWindow(place: number, walker: RowWalker): void {
    const slot = this.#slot;
    const from = walker.from[slot]!;
    const to = walker.to[slot]!;
    const [text, first, past] = textBytesAt(walker.bytes as Buffer, from, to, walker.flags[slot]!);
    this.window.add(place, text, first, past);
  }
}

interface PlacedRowsParts {
  readonly job: Job;
  readonly file: RowsFile;
  readonly walker: RowWalker;
  /** The number in the file of the row at each place. */
  readonly rows: Uint32Array;
  readonly share: readonly [from: number, to: number];
}

/**
 * Makes the function that reads rows again, numbered by their places among those that are sorted, if their keys do not distinguish
 * them. It reads the wanted rows in ascending order. The walker then has the places of their values.
 */
export const placedRows =
  ({ job, file, walker, rows, share }: PlacedRowsParts) =>
  async (
    onPlace: (place: number, walker: RowWalker) => void,
    isWanted: (place: number) => boolean = () => true,
  ): Promise<void> => {
    let next = 0;
    const skip = (): void => {
      while (next < rows.length && !isWanted(next)) next++;
    };
    skip();
    if (next === rows.length) return;
    await file.scan(job, {
      walker,
      firstRow: rows[next]!,
      endRow: rows.at(-1)! + 1,
      share,
      wants: (_firstRow, endRow) => next < rows.length && rows[next]! < endRow,
      onRow: row => {
        if (row !== rows[next]) return;
        onPlace(next++, walker);
        skip();
      },
    });
  };
