import type { RowRandom } from './random.ts';

export type DateKind = 'date' | 'time' | 'dateTime';

/** The kind of date or time in a column, by its declared type and its name. Undefined for other columns. */
export function dateKindOf(name: string, type: string): DateKind | undefined {
  if (/datetime|timestamp/i.test(type)) return 'dateTime';
  if (/date/i.test(type)) return 'date';
  if (/^time/i.test(type)) return 'time';
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  if (/(?:^|_)(?:date|day|birthday|birthdate|dob)$|_on$|^date_/.test(words)) return 'date';
  if (/_at$|(?:^|_)(?:timestamp|datetime|created|updated|modified|deleted|expires)$/.test(words)) return 'dateTime';
  return /(?:^|_)time$/.test(words) ? 'time' : undefined;
}

export const secondsPerDay = 86_400;
/** 2020-01-01. The range does not move with the clock, so that a seed always gives the same rows. */
const firstSecond = 1_577_836_800;
const spanSeconds = 6 * 365 * secondsPerDay;

export const secondIn = (random: RowRandom): number => firstSecond + random.upTo(spanSeconds);

/** A day for each number of a date, a second for each of a time. Times without a date repeat after a day. */
export const numberedSecond = (kind: DateKind, number: number): number =>
  firstSecond + number * (kind === 'date' ? secondsPerDay : 1);

/** As SQLite's own functions write it. */
export function dateText(kind: DateKind, second: number): string {
  // The last second of the year 9999: later ones have no four digits.
  const text = new Date(Math.min(second, 253_402_300_799) * 1000).toISOString();
  const date = text.slice(0, 10);
  const time = text.slice(11, 19);
  if (kind === 'date') return date;
  return kind === 'time' ? time : `${date} ${time}`;
}
