import { numberFormat } from './formats.ts';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size for people: `999 bytes`, `9.35 MB`. `language` is a BCP 47 tag. */
export function formatSize(bytes: number, language: string | undefined): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const format = numberFormat(language, {
    style: 'unit',
    unit: units[step],
    // The short name of a byte has no plural.
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
  });
  return format.format(bytes / 1000 ** step);
}
