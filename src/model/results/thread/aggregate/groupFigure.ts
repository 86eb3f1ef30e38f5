import type { FigureKind } from '../../../../protocol/groups.ts';
import { misuse } from '../../../../base/errors.ts';
import { nullClass, numberClass } from '../compare.ts';
import { type CellValue, Extreme } from './cellValue.ts';
import { Distinct, joinedHash } from '../distinct.ts';
import { NumberSum } from './numberSum.ts';

/** A figure of each group. Groups are numbered from 0. */
interface GroupFigureCounter {
  add(group: number, value: CellValue): void;
  /** The figure as JSON. */
  json(group: number): string | Uint8Array;
}

export function figureCounter(kind: FigureKind): GroupFigureCounter {
  switch (kind) {
    case 'rows':
      return new Count(() => true);
    case 'count':
      return new Count(({ storageClass }) => storageClass !== nullClass);
    case 'distinct':
      return new DistinctCount();
    case 'sum':
      return new NumberFigure(({ sum }) => sum);
    case 'average':
      return new NumberFigure(({ average }) => average);
    case 'min':
      return new ExtremeFigure(-1);
    case 'max':
      return new ExtremeFigure(1);
  }
}

class Count implements GroupFigureCounter {
  readonly #counts: number[] = [];
  readonly #counted: (value: CellValue) => boolean;

  constructor(counted: (value: CellValue) => boolean) {
    this.#counted = counted;
  }

  add(group: number, value: CellValue): void {
    this.#counts[group] ??= 0;
    if (this.#counted(value)) this.#counts[group]++;
  }

  json(group: number): string {
    return String(this.#counts[group] ?? 0);
  }
}

/** One set has the values of all groups: many small ones would take more memory. */
class DistinctCount implements GroupFigureCounter {
  readonly #values = new Distinct();
  readonly #counts: number[] = [];

  add(group: number, value: CellValue): void {
    this.#counts[group] ??= 0;
    if (value.storageClass === nullClass) return;
    const high = Math.floor(value.hash / 0x100000000);
    if (this.#values.add(joinedHash(high ^ Math.imul(group, 0x9e3779b1), (value.hash >>> 0) ^ group))) {
      this.#counts[group]++;
    }
    if (this.#values.isFull) {
      const message =
        'There are too many different values to count here. Copy the grouping as SQL to count them there.';
      throw misuse('too_many_values', message);
    }
  }

  json(group: number): string {
    return String(this.#counts[group] ?? 0);
  }
}

class NumberFigure implements GroupFigureCounter {
  readonly #sums: NumberSum[] = [];
  readonly #figure: (sum: NumberSum) => string | undefined;

  constructor(figure: (sum: NumberSum) => string | undefined) {
    this.#figure = figure;
  }

  add(group: number, value: CellValue): void {
    const sum = (this.#sums[group] ??= new NumberSum());
    if (value.storageClass === numberClass && !value.isWord) sum.add(value);
  }

  json(group: number): string {
    const figure = this.#figure(this.#sums[group]!);
    // JSON has no infinite numbers. This one is read as infinite.
    return figure?.replace('Infinity', '1e999') ?? 'null';
  }
}

class ExtremeFigure implements GroupFigureCounter {
  readonly #sign: -1 | 1;
  readonly #extremes: Extreme[] = [];

  constructor(sign: -1 | 1) {
    this.#sign = sign;
  }

  add(group: number, value: CellValue): void {
    const extreme = (this.#extremes[group] ??= new Extreme(this.#sign));
    if (value.storageClass !== nullClass) extreme.offer(value);
  }

  json(group: number): string | Uint8Array {
    return this.#extremes[group]!.value?.json ?? 'null';
  }
}
