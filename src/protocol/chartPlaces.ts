/** Nobody can tell more of them apart. The rows thread loads this file, and not the decoders beside it. */
export const maxSeries = 8;

const timePattern = /^\d{4}(?:-\d\d(?:-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?$/;

/** The milliseconds since the epoch of a text as SQLite writes times: in UTC, unless it names its time zone. NaN for others. */
export function epochOf(text: string): number {
  if (!timePattern.test(text)) return NaN;
  if (text.length <= 10) return Date.parse(text);
  const zone = /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? '' : 'Z';
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11)}${zone}`);
}
