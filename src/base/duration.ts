/** A duration for people: whole milliseconds, and seconds from one second on. `language` is a BCP 47 tag. */
export function formatDuration(ms: number, language: string | undefined, fractionDigits = 1): string {
  const isShort = Math.round(ms) < 1000;
  const digits = isShort ? 0 : fractionDigits;
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: isShort ? 'millisecond' : 'second',
    unitDisplay: 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(isShort ? Math.round(ms) : ms / 1000);
}
