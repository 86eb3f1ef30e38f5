import type { Period } from '../../../../protocol/groups.ts';
import { minus } from '../../../../base/jsonBytes.ts';
import { textClass } from '../compare.ts';
import type { CellValue } from './cellValue.ts';

const dayLength = 10;
const lengths: Readonly<Record<Period, number>> = { year: 4, month: 7, day: dayLength, week: dayLength };
const dayMs = 24 * 60 * 60 * 1000;

/** Replaces a text that begins with a date by its year, month, day or the Monday of its week. All others become NULL. */
export function takePeriod(value: CellValue, period: Period): void {
  const day = value.storageClass === textClass ? dayOf(value) : undefined;
  const text = day !== undefined && period === 'week' ? mondayOf(day) : day?.slice(0, lengths[period]);
  value.replace(text);
}

function dayOf({ bytes, first, past }: CellValue): string | undefined {
  if (past - first < dayLength || bytes[first + 4] !== minus || bytes[first + 7] !== minus) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + first, dayLength).toString('latin1');
  if (!/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(text)) return undefined;
  // Every month has the first 28 days.
  return text.slice(8) <= '28' || dayText(timeOf(text)) === text ? text : undefined;
}

function mondayOf(day: string): string | undefined {
  const time = timeOf(day);
  const monday = dayText(time - ((new Date(time).getUTCDay() + 6) % 7) * dayMs);
  // A year before 0 is longer.
  return monday.length === dayLength ? monday : undefined;
}

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** A day that its month does not have is no time. */
const dayText = (time: number): string => (Number.isNaN(time) ? '' : new Date(time).toISOString().split('T')[0]!);
