import { t } from '@vscode/l10n';
import { formatDuration } from '../../../src/base/formats.ts';
import type { ResultView } from '../../../src/protocol/results.ts';
import { isFiltered } from '../../../src/protocol/rowQueries.ts';
import { visibleText } from '../../ui/visibleText.ts';

/** Which rows of the table are in view: the first one, and the row after the last one. */
export function placeText(
  { browsing, shownRows }: Pick<ResultView, 'browsing' | 'shownRows'>,
  [first, end]: readonly [first: number, end: number],
  language: string | undefined,
): string {
  if (!browsing) return '';
  if (shownRows === 0) return browsing.hasEnd ? t('No rows') : '';
  if (end <= first) return '';
  const format = (number: number): string => number.toLocaleString(language);
  const last = Math.min(end, shownRows);
  const isOne = last === first + 1;
  const total = browsing.hasEnd ? format(shownRows) : `${format(shownRows)}+`;
  return isOne
    ? t('Row {0} of {1}', format(last), total)
    : t('Rows {0}–{1} of {2}', format(first + 1), format(last), total);
}

/** How the rows are sorted and filtered, in the words of the head line. */
export function orderText({ browsing, arrangement, columns }: ResultView): string {
  const keys = arrangement.sort.map(({ column, descending }) => {
    const name = visibleText(columns[column]?.name ?? '');
    return `${name} ${descending ? '▾' : '▴'}`;
  });
  const parts: string[] = [];
  if (keys.length > 0) parts.push(t('sorted by {0}', keys.join(', ')));
  else if (!browsing?.byStatement) parts.push(t('Unsorted'));
  else if (!isFiltered(arrangement)) parts.push(t('sorted by primary key'));
  if (isFiltered(arrangement)) parts.push(t('filtered'));
  return parts.join(' · ');
}

/** Whether the rows come in no fixed order, while the table has a primary key. */
export const canSortByKey = (view: Pick<ResultView, 'browsing' | 'columns'> | null): boolean =>
  view?.browsing?.byStatement === false && view.columns.some(({ isKey }) => isKey);

/** The meaning of the order, for a tooltip. */
export function orderNote({ browsing, arrangement }: ResultView): string {
  if (!browsing?.byStatement)
    return t(
      'The service returns the rows in no fixed order. If the table changes, rows can repeat or be missing. Sort by the primary key or a column for a fixed order.',
    );
  if (!isFiltered(arrangement)) return t('Sorted by the service. Equal rows are in the order of the primary key.');
  return arrangement.sort.length === 0
    ? t('Filtered by the service, in the order of the primary key. Filters ignore the case of the letters A to Z only.')
    : t(
        'Sorted and filtered by the service. Equal rows are in the order of the primary key. Filters ignore the case of the letters A to Z only.',
      );
}

/** How long the first rows took. '' while they are loading. */
export function loadingTimeText({ state, elapsedMs }: ResultView, language: string | undefined): string {
  return state === 'done' || state === 'more' ? formatDuration(elapsedMs, language) : '';
}
