import { timeFormat } from './formats.ts';

/** A time for people: `14:03`, or `14:03:22` with seconds. `language` is a BCP 47 tag. */
export function formatTime(at: number, language: string | undefined, withSeconds = false): string {
  const format = timeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(withSeconds && { second: '2-digit' }),
  });
  return format.format(at);
}

/** A day for people: `Nov 23`. */
export const formatDay = (at: number, language: string | undefined): string =>
  timeFormat(language, { month: 'short', day: 'numeric' }).format(at);

/** A time of today, or the day and the time. */
export function formatMoment(at: number, now: number, language: string | undefined, withSeconds = false): string {
  const time = formatTime(at, language, withSeconds);
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? time : `${formatDay(at, language)}, ${time}`;
}
