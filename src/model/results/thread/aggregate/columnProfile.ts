import type { ColumnProfile } from '../../../../protocol/profile.ts';
import type { ValueCounts } from '../../../../protocol/rowQueries.ts';
import { nullClass, numberClass, textClass } from '../compare.ts';
import { byCount } from '../values.ts';
import { blobClass, type CellValue } from './cellValue.ts';
import { Distinct, DistinctEstimate, maxDistinct } from '../distinct.ts';
import { NumberHistogram } from './numberHistogram.ts';
import { Median } from './median.ts';
import { CellFigures } from './summarize.ts';
import { ValueTable } from './valueTable.ts';

/** Nobody looks for a longer value in a list. */
const maxValueBytes = 300;
const maxTop = 20;

interface ProfileLimits {
  /** With more different values, their number is an estimate. */
  readonly maxDistinct: number;
  /** With more different values, none is counted by itself. */
  readonly maxCounted: number;
}

/** Many columns are profiled at once. */
export const roughly: ProfileLimits = { maxDistinct: 1 << 15, maxCounted: 1000 };
export const inDetail: ProfileLimits = { maxDistinct, maxCounted: 100_000 };

/** The figures of one column. */
export class ColumnFigures {
  readonly #distinct: Distinct;
  readonly #figures: CellFigures;
  readonly #estimate = new DistinctEstimate();
  readonly #histogram = new NumberHistogram();
  readonly #median: Median | undefined;
  readonly #counts: number[] = [];
  /** How many values of each storage class there are. */
  readonly #classes = new Float64Array(blobClass + 1);
  #values: ValueTable | undefined;
  #shortest = Infinity;
  #longest = -1;
  #hasLong = false;

  constructor(limits: ProfileLimits) {
    this.#distinct = new Distinct(limits.maxDistinct);
    this.#figures = new CellFigures(this.#distinct);
    this.#values = new ValueTable({ maxValues: limits.maxCounted, maxBytes: limits.maxCounted * maxValueBytes });
    this.#median = limits === inDetail ? new Median() : undefined;
  }

  add(value: CellValue): void {
    const { storageClass } = value;
    this.#figures.add(value);
    this.#classes[storageClass]!++;
    if (this.#values) this.#count(value);
    if (storageClass === nullClass) return;
    this.#estimate.add(value.hash);
    if (storageClass === numberClass) this.#addNumber(value);
    else if (storageClass === textClass) {
      const { length } = value;
      if (length < this.#shortest) this.#shortest = length;
      if (length > this.#longest) this.#longest = length;
    }
  }

  profile(column: number): ColumnProfile {
    const median = this.#median?.value;
    const texts = this.#classes[textClass]!;
    const isAbout = this.#distinct.isFull;
    const { distinctOrMore: _, ...figures } = this.#figures.summary;
    const top = this.#top;
    return {
      column,
      figures: isAbout ? { ...figures, distinct: this.#estimate.count } : figures,
      ...(isAbout && { isDistinctAbout: true }),
      texts,
      blobs: this.#classes[blobClass]!,
      ...(median !== undefined && { median }),
      ...(texts > 0 && { shortest: this.#shortest, longest: this.#longest }),
      ...(top && { top }),
      bars: this.#histogram.bars,
    };
  }

  #count(value: CellValue): void {
    if (value.storageClass !== nullClass && value.to - value.from > maxValueBytes) {
      this.#hasLong = true;
      return;
    }
    const index = this.#values!.indexOf(value);
    if (index === -1) this.#values = undefined;
    else this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  #addNumber(value: CellValue): void {
    if (value.isWord) return;
    this.#histogram.add(value.number, value.roundingError);
    this.#median?.add(value.number);
  }

  get #top(): ValueCounts | undefined {
    if (!this.#values) return undefined;
    const all = this.#values.values.map(({ filterText: text }, index) => ({ text, count: this.#counts[index]! }));
    const values = all.toSorted(byCount).slice(0, maxTop);
    return { values, ...((this.#hasLong || values.length < all.length) && { hasMore: true }) };
  }
}
