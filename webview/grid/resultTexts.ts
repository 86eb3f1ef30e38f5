import { formatDuration } from '../../src/base/duration.ts';
import { fill, type GridLabels } from '../../src/protocol/labels.ts';
import type { ResultView } from '../../src/protocol/results.ts';

/** The figures of a run: its rows, its time and its size. */
export function figuresOf(view: ResultView, labels: GridLabels, language: string | undefined): string {
  const { state, rowCount, columns, allColumns, changed, elapsedMs, bytes, firstRowMs } = view;
  const count = (one: string, many: string, number: number): string =>
    number === 1 ? one : fill(many, number.toLocaleString(language));
  const parts: string[] = [];
  if (changed !== undefined) parts.push(count(labels.oneChanged, labels.changed, changed));
  // A statement that failed before its first row has no count.
  else if (state !== 'failed' || rowCount > 0) parts.push(count(labels.oneRow, labels.rows, rowCount));
  if (allColumns !== undefined) {
    const shown = columns.length.toLocaleString(language);
    parts.push(fill(labels.firstColumns, shown, allColumns.toLocaleString(language)));
  }
  if (state === 'running') parts.push(view.waitsMs === undefined ? labels.running : labels.waiting);
  if (state === 'paused') parts.push(labels.paused);
  if (state === 'more') parts.push(labels.more);
  if (state === 'cancelled') parts.push(labels.cancelled);
  if (state === 'limited') parts.push(labels.limited);
  if (state !== 'running') parts.push(formatDuration(elapsedMs, language));
  if (bytes > 0) parts.push(formatSize(bytes, language));
  if (firstRowMs !== undefined) parts.push(fill(labels.firstRow, formatDuration(firstRowMs, language)));
  return parts.join(' · ');
}

/** The message in place of a grid that is not there. */
export function messageFor(view: ResultView | null, labels: GridLabels): string {
  if (!view) return labels.noResult;
  if (view.state === 'running') return view.waitsMs === undefined ? labels.running : '';
  return view.state === 'done' && view.changed === undefined && view.rowCount === 0 ? labels.none : '';
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

function formatSize(bytes: number, language: string | undefined): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[step],
    // The short name of a byte has no plural.
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
  });
  return format.format(bytes / 1000 ** step);
}
