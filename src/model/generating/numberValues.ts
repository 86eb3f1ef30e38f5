import type { ColumnLimits } from '../../sql/checks/columnLimits.ts';

/** The numbers that a column gets: from `min` to `max`, both included. */
interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** Whether the checks of the table set both ends. */
  readonly isClosed: boolean;
}

/** Usual numbers, by a word in the name of a column. */
const usual: readonly (readonly [RegExp, number, number])[] = [
  [/(?:^|_)age(?:_|$)/, 18, 90],
  [/year/, 1990, 2025],
  [/month/, 1, 12],
  [/(?:^|_)day(?:_|$)/, 1, 28],
  [/hour/, 0, 23],
  [/minute|second/, 0, 59],
  [/rating|stars|score|priority|rank/, 1, 5],
  [/percent|pct|ratio|share/, 0, 100],
  [/quantity|qty|(?:^|_)(?:count|number|num|n)(?:_|$)|stock/, 1, 100],
  [/(?:^|_)lat/, -90, 90],
  [/(?:^|_)(?:lon|lng)/, -180, 180],
  [/price|cost|amount|total|fee|salary|balance|tax/, 1, 1000],
];

export function numberRangeOf(name: string, limits: ColumnLimits | undefined, isInteger: boolean): NumberRange {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  const [, usualMin, usualMax] = usual.find(([pattern]) => pattern.test(words)) ?? [/./, 1, 10_000];
  const { min, max } = limits ?? {};
  // The smallest step of a REAL column that people read has two digits.
  const step = isInteger ? 1 : 0.01;
  const ends = {
    min:
      min &&
      (isInteger ? Math.ceil(min.value) : min.value) +
        (min.isOpen && (!isInteger || Number.isInteger(min.value)) ? step : 0),
    max:
      max &&
      (isInteger ? Math.floor(max.value) : max.value) -
        (max.isOpen && (!isInteger || Number.isInteger(max.value)) ? step : 0),
  };
  const span = usualMax - usualMin;
  const isUsualInside = (ends.min ?? usualMin) <= usualMax && (ends.max ?? usualMax) >= usualMin;
  if (isUsualInside) {
    return {
      min: Math.max(usualMin, ends.min ?? usualMin),
      max: Math.min(usualMax, ends.max ?? usualMax),
      isClosed: min !== undefined && max !== undefined,
    };
  }
  const lowest = ends.min ?? ends.max! - span;
  return { min: lowest, max: ends.max ?? lowest + span, isClosed: min !== undefined && max !== undefined };
}

/** All integers that the checks allow, if they set both ends. */
export function closedIntegers(
  limits: ColumnLimits | undefined,
): { readonly min: number; readonly size: number } | undefined {
  const { min, max } = limits ?? {};
  if (!min || !max) return undefined;
  const lowest = Math.ceil(min.value) + (min.isOpen && Number.isInteger(min.value) ? 1 : 0);
  const highest = Math.floor(max.value) - (max.isOpen && Number.isInteger(max.value) ? 1 : 0);
  const size = highest - lowest + 1;
  return Number.isSafeInteger(size) && Number.isSafeInteger(lowest) && size > 0 ? { min: lowest, size } : undefined;
}
