import { fill, type GridLabels } from '../../src/protocol/labels.ts';
import type { ResultView } from '../../src/protocol/results.ts';

/** How a run went, in figures: how many rows, in what time. */
export function figuresOf(
  { state, rowCount, changed, elapsedMs }: ResultView,
  labels: GridLabels,
  language: string | undefined,
): string {
  const count = (one: string, many: string, number: number): string =>
    number === 1 ? one : fill(many, number.toLocaleString(language));
  const parts: string[] = [];
  if (changed !== undefined) parts.push(count(labels.oneChanged, labels.changed, changed));
  // A statement that failed before its first row has no count to tell of.
  else if (state !== 'failed' || rowCount > 0) parts.push(count(labels.oneRow, labels.rows, rowCount));
  if (state === 'running') parts.push(labels.running);
  if (state === 'more') parts.push(labels.more);
  if (state === 'cancelled') parts.push(labels.cancelled);
  if (state === 'limited') parts.push(labels.limited);
  if (state !== 'running') parts.push(durationOf(elapsedMs, language));
  return parts.join(' · ');
}

/** What stands in the place of the grid while there is none. */
export function messageFor(view: ResultView | null, labels: GridLabels): string {
  if (!view) return labels.noResult;
  if (view.state === 'running') return labels.running;
  return view.state === 'done' && view.changed === undefined && view.rowCount === 0 ? labels.none : '';
}

function durationOf(ms: number, language: string | undefined): string {
  const whole = Math.round(ms);
  const [value, unit, digits] = whole < 1000 ? [whole, 'millisecond', 0] : [ms / 1000, 'second', 1];
  const format = { style: 'unit', unit, unitDisplay: 'short', minimumFractionDigits: digits } as const;
  return new Intl.NumberFormat(language, { ...format, maximumFractionDigits: digits }).format(value);
}
