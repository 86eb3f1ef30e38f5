import { misuse } from '../../../../base/errors.ts';
import type { FigureKind } from '../../../../protocol/groups.ts';
import { nullClass, numberClass } from '../compare.ts';
import { Distinct, joinedHash } from '../distinct.ts';
import { CellValue, compareValues } from './cellValue.ts';
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
      return counts(() => true);
    case 'count':
      return counts((_, { storageClass }) => storageClass !== nullClass);
    case 'distinct':
      return counts(newInGroup());
    case 'sum':
      return numberFigures(({ sum }) => sum);
    case 'average':
      return numberFigures(({ average }) => average);
    case 'min':
      return extremes(-1);
    case 'max':
      return extremes(1);
  }
}

function counts(isCounted: (group: number, value: CellValue) => boolean): GroupFigureCounter {
  const counted: number[] = [];
  return {
    add: (group, value) => (counted[group] = (counted[group] ?? 0) + Number(isCounted(group, value))),
    json: group => String(counted[group] ?? 0),
  };
}

/** Whether a value is new in its group. One set has the values of all groups: many small ones would take more memory. */
function newInGroup(): (group: number, value: CellValue) => boolean {
  const values = new Distinct();
  return (group, { storageClass, hash }) => {
    if (storageClass === nullClass) return false;
    if (values.isFull) {
      const message =
        'There are too many different values to count here. Copy the grouping as SQL to count them there.';
      throw misuse('too_many_values', message);
    }
    const high = Math.floor(hash / 0x100000000);
    return values.add(joinedHash(high ^ Math.imul(group, 0x9e3779b1), (hash >>> 0) ^ group));
  };
}

function numberFigures(figureOf: (sum: NumberSum) => string | undefined): GroupFigureCounter {
  const sums: NumberSum[] = [];
  return {
    add(group, value) {
      const sum = (sums[group] ??= new NumberSum());
      if (value.storageClass === numberClass && !value.isWord) sum.add(value);
    },
    // JSON has no infinite numbers. This one is read as infinite.
    json: group => figureOf(sums[group]!)?.replace('Infinity', '1e999') ?? 'null',
  };
}

function extremes(sign: -1 | 1): GroupFigureCounter {
  const values: (CellValue | undefined)[] = [];
  return {
    add: (group, value) => (values[group] = extremeOf(sign, values[group], value)),
    json: group => values[group]?.json ?? 'null',
  };
}

/** The least or the greatest of two values. NULL is neither. */
export function extremeOf(sign: -1 | 1, best: CellValue | undefined, value: CellValue): CellValue | undefined {
  if (value.storageClass === nullClass) return best;
  return best && compareValues(value, best) * sign <= 0 ? best : (best ?? new CellValue()).keep(value);
}
