import { fill, type GridLabels } from '../../src/protocol/labels.ts';
import type { ResultView } from '../../src/protocol/results.ts';

/** How a run went, in figures: how many rows, in what time, and what they take. */
export function figuresOf(view: ResultView, labels: GridLabels, language: string | undefined): string {
  const { state, rowCount, changed, elapsedMs, bytes, firstRowMs } = view;
  const count = (one: string, many: string, number: number): string =>
    number === 1 ? one : fill(many, number.toLocaleString(language));
  const parts: string[] = [];
  if (changed !== undefined) parts.push(count(labels.oneChanged, labels.changed, changed));
  // A statement that failed before its first row has no count to tell of.
  else if (state !== 'failed' || rowCount > 0) parts.push(count(labels.oneRow, labels.rows, rowCount));
  if (state === 'running') parts.push(view.waitsMs === undefined ? labels.running : labels.waiting);
  if (state === 'paused') parts.push(labels.paused);
  if (state === 'more') parts.push(labels.more);
  if (state === 'cancelled') parts.push(labels.cancelled);
  if (state === 'limited') parts.push(labels.limited);
  if (state !== 'running') parts.push(durationOf(elapsedMs, language));
  if (bytes > 0) parts.push(sizeOf(bytes, language));
  if (firstRowMs !== undefined) parts.push(fill(labels.firstRow, durationOf(firstRowMs, language)));
  return parts.join(' · ');
}

/** What stands in the place of the grid while there is none. */
export function messageFor(view: ResultView | null, labels: GridLabels): string {
  if (!view) return labels.noResult;
  if (view.state === 'running') return view.waitsMs === undefined ? labels.running : '';
  return view.state === 'done' && view.changed === undefined && view.rowCount === 0 ? labels.none : '';
}

/** Seconds have one digit behind the point, unless told otherwise. */
export function durationOf(ms: number, language: string | undefined, fraction = 1): string {
  const whole = Math.round(ms);
  const [value, unit, digits] = whole < 1000 ? [whole, 'millisecond', 0] : [ms / 1000, 'second', fraction];
  const format = { style: 'unit', unit, unitDisplay: 'short', minimumFractionDigits: digits } as const;
  return new Intl.NumberFormat(language, { ...format, maximumFractionDigits: digits }).format(value);
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

function sizeOf(bytes: number, language: string | undefined): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  // The short name of a byte has no plural.
  const unitDisplay = step === 0 ? 'long' : 'short';
  const format = { style: 'unit', unit: units[step], unitDisplay, maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(language, format).format(bytes / 1000 ** step);
}
