import { formatDuration, formatElapsed } from '../../src/base/duration.ts';
import { formatSize } from '../../src/base/size.ts';
import { formatDay, formatTime } from '../../src/base/timeOfDay.ts';
import { fill, type GridLabels } from '../../src/protocol/labels.ts';
import type { ResultView } from '../../src/protocol/results.ts';
import { visibleText } from '../ui/visibleText.ts';

/** A run that takes longer shows its time. Most end before. */
export const quietMs = 300;

/** The figures of a run: its rows, its time and its size. */
export function figuresOf(
  view: ResultView,
  labels: GridLabels,
  language: string | undefined,
  isStopping = false,
): string {
  const { state, rowCount, columns, allColumns, changedRows, elapsedMs, bytes, restoredFrom } = view;
  if (view.isRestoring) return labels.restoring;
  const isRunning = state === 'running';
  const count = (one: string, many: string, number: number): string =>
    number === 1 && !hasMore(view) ? one : fill(many, countText(number, view, language));
  const parts: string[] = [];
  if (view.doneText !== undefined) parts.push(visibleText(view.doneText));
  else if (changedRows !== undefined) parts.push(count(labels.oneChanged, labels.changed, changedRows));
  // A statement that failed before its first row has no count, and one that runs may have none.
  else if (!view.plan && ((state !== 'failed' && !isRunning) || rowCount > 0))
    parts.push(count(labels.oneRow, labels.rows, rowCount));
  if (allColumns !== undefined) {
    const shown = columns.length.toLocaleString(language);
    parts.push(fill(labels.firstColumns, shown, allColumns.toLocaleString(language)));
  }
  const isQuiet = elapsedMs < quietMs;
  if (isRunning && isStopping) parts.push(labels.stopping);
  else if (isRunning && view.waitsMs !== undefined) parts.push(labels.waiting);
  else if (isRunning && (isQuiet || rowCount === 0)) parts.push(labels.running);
  if (state === 'paused') parts.push(labels.paused);
  if (state === 'more') parts.push(labels.more);
  if (state === 'limited') parts.push(labels.limited);
  const duration = formatDuration(elapsedMs, language);
  if (state === 'cancelled') parts.push(fill(labels.cancelled, duration));
  else if (!isRunning) parts.push(duration);
  else if (!isQuiet) parts.push(formatElapsed(elapsedMs, language));
  if (bytes > 0) parts.push(formatSize(bytes, language));
  if (restoredFrom !== undefined) {
    parts.push(fill(labels.restoredFrom, formatTime(restoredFrom, language), formatDay(restoredFrom, language)));
  }
  return parts.join(' · ');
}

/** Whether the service has rows that the result does not. */
const hasMore = ({ state }: Pick<ResultView, 'state'>): boolean => state === 'paused' || state === 'limited';

/** A number of rows, with a plus where there are more. */
export const countText = (count: number, view: Pick<ResultView, 'state'>, language: string | undefined): string =>
  `${count.toLocaleString(language)}${hasMore(view) ? '+' : ''}`;

/** The message that is shown in place of a grid. */
export function messageFor(view: ResultView | null, labels: GridLabels): string {
  if (!view) return labels.noResult;
  if (view.plan) return view.plan.length === 0 ? labels.noPlan : '';
  if (view.isRestoring) return labels.restoring;
  if (view.state === 'running') return view.waitsMs === undefined ? labels.running : '';
  // A cancelled write has its own text.
  const hasEnded = view.state === 'done' || (view.state === 'cancelled' && view.outcome === undefined);
  return hasEnded && view.changedRows === undefined && view.rowCount === 0 ? labels.none : '';
}

/** Whether rows are missing for a reason that the header shows. */
export const isUnavailable = ({ state }: ResultView): boolean => state === 'failed' || state === 'cancelled';
