import { t } from '@vscode/l10n';
import { formatDuration, formatElapsed } from '../../src/base/formats.ts';
import { formatSize } from '../../src/base/size.ts';
import { formatDay, formatTime } from '../../src/base/timeOfDay.ts';
import type { ResultView } from '../../src/protocol/results.ts';
import { visibleText } from '../ui/visibleText.ts';
import { comparisonFigures } from './comparison/comparisonTexts.ts';

/** Longer runs show their time. Most runs end before. */
export const quietMs = 300;

/** A result, or the part of one project in it. */
type Figures = Pick<ResultView, 'state' | 'rowCount' | 'elapsedMs'> & Partial<ResultView>;

export function figuresOf(view: Figures, language: string | undefined, isStopping = false): string {
  const { state, rowCount, columns = [], allColumns, changedRows, elapsedMs, bytes = 0, restoredFrom } = view;
  if (view.isRestoring) return t('Restoring…');
  const isRunning = state === 'running';
  const parts: string[] = [];
  if (view.doneText !== undefined) parts.push(visibleText(view.doneText));
  else if (view.comparison) parts.push(...comparisonFigures(view.comparison));
  else if (changedRows !== undefined) {
    const isOne = changedRows === 1 && !hasMore(view);
    parts.push(isOne ? t('1 row changed') : t('{0} rows changed', countText(changedRows, view, language)));
  }
  // A statement without a row yet has no count if it failed or still runs.
  else if (!view.plan && ((state !== 'failed' && !isRunning) || rowCount > 0)) {
    const isOne = rowCount === 1 && !hasMore(view);
    parts.push(isOne ? t('1 row') : t('{0} rows', countText(rowCount, view, language)));
  }
  if (allColumns !== undefined) {
    const shown = columns.length.toLocaleString(language);
    parts.push(t('first {0} of {1} columns', shown, allColumns.toLocaleString(language)));
  }
  if (view.search) {
    const { searched, tables } = view.search;
    parts.push(t('{0} of {1} tables searched', searched.toLocaleString(language), tables.toLocaleString(language)));
  }
  const isQuiet = elapsedMs < quietMs;
  if (isRunning && isStopping) parts.push(t('Stopping…'));
  else if (isRunning && view.waitsMs !== undefined) parts.push(t('Waiting'));
  else if (isRunning && (isQuiet || rowCount === 0)) parts.push(runningText(view));
  if (state === 'paused') parts.push(t('Paused'));
  if (state === 'more') parts.push(t('more as you scroll'));
  if (state === 'limited') parts.push(t('Finished at the limit'));
  const duration = formatDuration(elapsedMs, language);
  if (state === 'cancelled') parts.push(t('Cancelled after {0}', duration));
  else if (!isRunning) parts.push(duration);
  else if (!isQuiet) parts.push(formatElapsed(elapsedMs, language));
  if (bytes > 0) parts.push(formatSize(bytes, language));
  if (restoredFrom !== undefined) {
    parts.push(t('from {0}, {1}', formatTime(restoredFrom, language), formatDay(restoredFrom, language)));
  }
  return parts.join(' · ');
}

function runningText({ browsing, comparison, search }: Figures): string {
  if (comparison) return t('Comparing…');
  if (search) return search.table === undefined ? t('Searching…') : t('Searching {0}…', visibleText(search.table));
  return browsing ? t('Loading…') : t('Running…');
}

const hasMore = ({ state }: Pick<ResultView, 'state'>): boolean => state === 'paused' || state === 'limited';

/** A plus means that there are more rows. */
export const countText = (count: number, view: Pick<ResultView, 'state'>, language: string | undefined): string =>
  `${count.toLocaleString(language)}${hasMore(view) ? '+' : ''}`;

export function messageFor(view: ResultView): string {
  if (view.plan) return view.plan.length === 0 ? t('There is no plan: this statement reads no table.') : '';
  if (view.isRestoring) return t('Restoring…');
  if (view.state === 'running') return view.waitsMs === undefined ? runningText(view) : '';
  // A cancelled write has its own text.
  const hasEnded = view.state === 'done' || (view.state === 'cancelled' && view.outcome === undefined);
  if (view.search && hasEnded && view.rowCount === 0) return t('Nothing was found.');
  if (view.comparison?.summary && view.rowCount === 0) return t('The rows are the same.');
  return hasEnded && view.changedRows === undefined && view.rowCount === 0 ? t('No rows') : '';
}

/** Whether rows are missing for a reason that the header shows. */
export const isUnavailable = ({ state }: ResultView): boolean => state === 'failed' || state === 'cancelled';
