/** The formats of Intl, each made once: making one takes a hundred times as long as using it. `language` is a BCP 47 tag. */
export const numberFormat = madeOnce(
  (language: string | undefined, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options),
);
export const timeFormat = madeOnce(
  (language: string | undefined, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options),
);

type Make<Options, Format> = (language: string | undefined, options: Options) => Format;

function madeOnce<Options, Format>(make: Make<Options, Format>): Make<Options, Format> {
  const formats = new Map<string, Format>();
  return (language, options) => {
    const key = JSON.stringify([language, options]);
    const existing = formats.get(key);
    if (existing !== undefined) return existing;
    const format = make(language, options);
    formats.set(key, format);
    return format;
  };
}

const msPerSecond = 1000;
const secondsPerMinute = 60;

/** A duration for people: `84 ms`, `3.7 s`, `2 min 5 s`. The units are the same in all languages. */
export function formatDuration(ms: number, language: string | undefined, fractionDigits = 1): string {
  const format = (number: number, digits: number): string =>
    numberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(number);
  const wholeMs = Math.round(ms);
  if (wholeMs < msPerSecond) return `${format(wholeMs, 0)} ms`;
  const wholeSeconds = Math.round(ms / msPerSecond);
  // 59.96 seconds would be "60.0 s".
  if (Number((ms / msPerSecond).toFixed(fractionDigits)) < secondsPerMinute) {
    return `${format(ms / msPerSecond, fractionDigits)} s`;
  }
  const minutes = format(Math.floor(wholeSeconds / secondsPerMinute), 0);
  const seconds = wholeSeconds % secondsPerMinute;
  return seconds === 0 ? `${minutes} min` : `${minutes} min ${seconds} s`;
}

/** The time that has passed since the start of something that still runs: `0.4 s`. Milliseconds would only flicker. */
export function formatElapsed(ms: number, language: string | undefined): string {
  if (ms >= msPerSecond) return formatDuration(ms, language);
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${numberFormat(language, digits).format(ms / msPerSecond)} s`;
}
