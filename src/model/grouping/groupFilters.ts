import { assertNever } from '../../base/assertNever.ts';
import { type GroupKey, periods } from '../../protocol/groups.ts';
import type { ColumnFilter } from '../../protocol/rowQueries.ts';

/**
 * The filters that leave the rows of a group. `values` are those of its keys as filters spell them, null for NULL. Undefined if
 * no filter does: a group without a period has all values that begin with no date.
 */
export function groupFilters(
  keys: readonly GroupKey[],
  values: readonly (string | null)[],
): ColumnFilter[] | undefined {
  // A column has one filter. Its shortest period leaves the fewest rows.
  const filters = new Map<number, ColumnFilter>();
  for (const key of keys.toSorted((one, other) => rank(one) - rank(other))) {
    const value = values[keys.indexOf(key)] ?? null;
    if (value === null && key.period) return undefined;
    filters.set(
      key.column,
      value === null ? { kind: 'null', column: key.column, isNull: true } : keyFilter(key, value),
    );
  }
  return [...filters.values()];
}

const rank = ({ period }: GroupKey): number => (period ? periods.indexOf(period) : periods.length);

function keyFilter({ column, period }: GroupKey, value: string): ColumnFilter {
  // The tilde comes after all that follows the day in a text with a time.
  const days = (from: string, to: string): ColumnFilter => ({ kind: 'range', column, from, to: `${to}~` });
  switch (period) {
    case undefined:
      return { kind: 'equals', column, text: value };
    case 'year':
      return days(`${value}-01-01`, `${value}-12-31`);
    case 'month':
      return days(`${value}-01`, lastDayOf(value));
    case 'week':
      return days(value, dayAfter(value, 6));
    case 'day':
      return days(value, value);
    default:
      return assertNever(period);
  }
}

/** The day that is so many days later. */
function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

function lastDayOf(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.toISOString().slice(0, 10);
}
