import { formatDuration } from '../../../src/base/duration.ts';
import type { BrowseView } from '../../../src/protocol/browsing.ts';
import { type BrowsingLabels, fill } from '../../../src/protocol/labels.ts';
import type { ResultView } from '../../../src/protocol/results.ts';
import { isFiltered } from '../../../src/protocol/rowQueries.ts';
import { visibleText } from '../../ui/visibleText.ts';

/** Which rows of the table are in view: the first one, and the row after the last one. */
export function placeText(
  { browsing, shownRows }: Pick<ResultView, 'browsing' | 'shownRows'>,
  [first, end]: readonly [first: number, end: number],
  language: string | undefined,
  labels: BrowsingLabels,
): string {
  if (!browsing) return '';
  if (shownRows === 0) return browsing.hasEnd ? labels.noRows : '';
  if (end <= first) return '';
  const format = (number: number): string => number.toLocaleString(language);
  const last = Math.min(end, shownRows);
  const isOne = last === first + 1;
  const [one, many] = browsing.hasEnd
    ? [labels.oneRowOfAll, labels.rowsOfAll]
    : [labels.oneRowOfMore, labels.rowsOfMore];
  return fill(isOne ? one : many, format(first + 1), format(last), format(shownRows));
}

/** How the rows are sorted and filtered, in the words of the head line. */
export function orderText({ browsing, arrangement, columns }: ResultView, labels: BrowsingLabels): string {
  const keys = arrangement.sort.map(({ column, descending }) => {
    const name = visibleText(columns[column]?.name ?? '');
    return `${name} ${descending ? '▾' : '▴'}`;
  });
  const parts: string[] = [];
  if (keys.length > 0) parts.push(fill(labels.sortedBy, keys.join(', ')));
  else if (!browsing?.byStatement) parts.push(labels.unsorted);
  else if (!isFiltered(arrangement)) parts.push(labels.sortedByKey);
  if (isFiltered(arrangement)) parts.push(labels.filtered);
  return parts.join(' · ');
}

/** Whether the rows come in no fixed order, while the table has a primary key. */
export const canSortByKey = (view: Pick<ResultView, 'browsing' | 'columns'> | null): boolean =>
  view?.browsing?.byStatement === false && view.columns.some(({ isKey }) => isKey);

/** The meaning of the order, for a tooltip. */
export function orderNote({ browsing, arrangement }: ResultView, labels: BrowsingLabels): string {
  if (!browsing?.byStatement) return labels.unsortedNote;
  if (!isFiltered(arrangement)) return labels.sortedNote;
  return arrangement.sort.length === 0 ? labels.filteredNote : labels.sortedAndFilteredNote;
}

/** How long the first rows took. '' while they are loading. */
export function timeText({ state, elapsedMs }: ResultView, language: string | undefined): string {
  return state === 'done' || state === 'more' ? formatDuration(elapsedMs, language) : '';
}

/** How many rows came twice; '' for none. */
export function repetitionText({ repeated }: BrowseView, language: string | undefined, labels: BrowsingLabels): string {
  if (repeated === 0) return '';
  return repeated === 1 ? labels.oneRepeated : fill(labels.repeated, repeated.toLocaleString(language));
}
