import type { ColumnLimits } from '../../sql/checks/columnLimits.ts';

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

type Bound = NonNullable<ColumnLimits['min']>;

const lowestInteger = ({ value, isOpen }: Bound): number => (isOpen ? Math.floor(value) + 1 : Math.ceil(value));
const highestInteger = ({ value, isOpen }: Bound): number => (isOpen ? Math.ceil(value) - 1 : Math.floor(value));

/** The smallest step of a REAL column that people read has two digits. */
const realStep = 0.01;
const lowestReal = ({ value, isOpen }: Bound): number => (isOpen ? value + realStep : value);
const highestReal = ({ value, isOpen }: Bound): number => (isOpen ? value - realStep : value);

/** The numbers that a column gets: from `min` to `max`, both included. */
export function numberRangeOf(
  name: string,
  { min, max }: ColumnLimits = {},
  isInteger: boolean,
): { readonly min: number; readonly max: number } {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  const [, usualMin, usualMax] = usual.find(([pattern]) => pattern.test(words)) ?? [/./, 1, 10_000];
  const least = min && (isInteger ? lowestInteger(min) : lowestReal(min));
  const greatest = max && (isInteger ? highestInteger(max) : highestReal(max));
  if ((least ?? usualMin) <= usualMax && (greatest ?? usualMax) >= usualMin) {
    return { min: Math.max(usualMin, least ?? usualMin), max: Math.min(usualMax, greatest ?? usualMax) };
  }
  const span = usualMax - usualMin;
  const lowest = least ?? greatest! - span;
  return { min: lowest, max: greatest ?? lowest + span };
}

/** All integers that the checks allow, if they set both ends. */
export function closedIntegers({ min, max }: ColumnLimits = {}):
  { readonly min: number; readonly size: number } | undefined {
  if (!min || !max) return undefined;
  const lowest = lowestInteger(min);
  const size = highestInteger(max) - lowest + 1;
  return Number.isSafeInteger(size) && Number.isSafeInteger(lowest) && size > 0 ? { min: lowest, size } : undefined;
}
