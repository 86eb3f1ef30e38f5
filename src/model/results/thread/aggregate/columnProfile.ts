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
  readonly #figures = new CellFigures(undefined);
  readonly #histogram = new NumberHistogram();
  readonly #median: Median | undefined;
  readonly #counts: number[] = [];
  /** How many values of each storage class there are. */
  readonly #classes = new Float64Array(blobClass + 1);
  /** Counts each value by itself, until there are too many. Then they are only told apart, and in the end estimated. */
  #values: ValueTable | undefined;
  readonly #distinct: Distinct;
  #estimate: DistinctEstimate | undefined;
  #shortest = Infinity;
  #longest = -1;
  #hasLong = false;

  constructor(limits: ProfileLimits) {
    this.#distinct = new Distinct(limits.maxDistinct);
    this.#values = new ValueTable({ maxValues: limits.maxCounted, maxBytes: limits.maxCounted * maxValueBytes });
    this.#median = limits === inDetail ? new Median() : undefined;
  }

  add(value: CellValue): void {
    const { storageClass } = value;
    this.#figures.add(value);
    this.#classes[storageClass]!++;
    this.#count(value);
    if (storageClass === numberClass && !value.isWord) {
      this.#histogram.add(value.number, value.roundingError);
      this.#median?.add(value.number);
    } else if (storageClass === textClass) {
      const { length } = value;
      if (length < this.#shortest) this.#shortest = length;
      if (length > this.#longest) this.#longest = length;
    }
  }

  profile(column: number): ColumnProfile {
    const median = this.#median?.value;
    const texts = this.#classes[textClass]!;
    const counted = this.#values?.values.filter(({ storageClass }) => storageClass !== nullClass).length ?? 0;
    const others = (this.#estimate ?? this.#distinct).count;
    const top = this.#top;
    return {
      column,
      figures: { ...this.#figures.summary, distinct: counted + others },
      ...(this.#estimate && { isDistinctAbout: true }),
      texts,
      blobs: this.#classes[blobClass]!,
      ...(median !== undefined && { median }),
      ...(texts > 0 && { shortest: this.#shortest, longest: this.#longest }),
      ...(top && { top }),
      bars: this.#histogram.bars,
    };
  }

  #count(value: CellValue): void {
    const isNull = value.storageClass === nullClass;
    if (this.#values) {
      const isLong = !isNull && value.to - value.from > maxValueBytes;
      const index = isLong ? -1 : this.#values.indexOf(value);
      if (index !== -1) {
        this.#counts[index] = (this.#counts[index] ?? 0) + 1;
        return;
      }
      this.#hasLong ||= isLong;
      if (!isLong) this.#stopCounting(this.#values);
    }
    if (!isNull) this.#tellApart(value.hash);
  }

  #stopCounting({ values }: ValueTable): void {
    this.#values = undefined;
    for (const { storageClass, hash } of values) if (storageClass !== nullClass) this.#tellApart(hash);
  }

  #tellApart(hash: number): void {
    if (!this.#estimate && this.#distinct.isFull) {
      this.#estimate = new DistinctEstimate();
      for (const known of this.#distinct.hashes()) this.#estimate.add(known);
    }
    if (this.#estimate) this.#estimate.add(hash);
    else this.#distinct.add(hash);
  }

  get #top(): ValueCounts | undefined {
    if (!this.#values) return undefined;
    const all = this.#values.values.map(({ filterText: text }, index) => ({ text, count: this.#counts[index]! }));
    const values = all.toSorted(byCount).slice(0, maxTop);
    return { values, ...((this.#hasLong || values.length < all.length) && { hasMore: true }) };
  }
}
