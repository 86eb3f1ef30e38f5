import { t } from '@vscode/l10n';
import type { ResultView } from '../../../src/protocol/results.ts';
import { element, setText } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import './browsing.css';
import { formatDuration } from '../../../src/base/formats.ts';
import { isFiltered } from '../../../src/protocol/rowQueries.ts';
import { formatCount } from '../../ui/counts.ts';
import { visibleText } from '../../ui/visibleText.ts';

/** Rows before this one come fast, even if the service has to skip all rows before them. */
const firstSlowRow = 10_000;

interface BrowseBarOptions {
  readonly run: (command: 'count' | 'stopCounting' | 'sortByKey') => void;
  readonly passFocus: () => void;
}

/** The left side of a browsed table's head line: the rows in view, their order, and the time of the first rows. */
export function createBrowseBar({ run, passFocus }: BrowseBarOptions) {
  const place = element('span', 'rows-in-view');
  const order = element('span', 'order');
  const time = element('span', 'time');
  const count = createPlainButton(t('Count Rows'), () => run(view?.browsing?.counting ? 'stopCounting' : 'count'));
  const sortByKey = createPlainButton(t('Sort by Primary Key'), () => run('sortByKey'));
  const root = element('div', 'browsing', [place, count, order, sortByKey, time]);
  let view: ResultView | null = null;
  let visible: readonly [first: number, end: number] = [0, 0];

  const showVisible = (): void => {
    if (!view?.browsing) return;
    const text = placeText(view, visible);
    setText(place, text);
    place.hidden = text === '';
  };
  /** Shown where unsorted rows come slowly, because the service reads all rows before those in view. */
  const showSortByKey = (): void => {
    const isShown = visible[0] >= firstSlowRow && canSortByKey(view);
    if (!isShown && sortByKey === document.activeElement) passFocus();
    sortByKey.hidden = !isShown;
  };
  /** Shown while the number of rows is not known. */
  const showCount = (): void => {
    const { hasEnd = true, counting = false } = view?.browsing ?? {};
    const isShown = (!hasEnd || counting) && (view?.columns.length ?? 0) > 0;
    if (!isShown && count === document.activeElement) passFocus();
    count.hidden = !isShown;
    count.textContent = counting ? t('Stop Counting') : t('Count Rows');
  };
  const show = (shown: ResultView | null): void => {
    view = shown;
    root.hidden = !view?.browsing;
    if (!view?.browsing) return;
    showVisible();
    showCount();
    showSortByKey();
    // Before the first rows, a restored table does not know its order.
    order.hidden = view.columns.length === 0;
    setText(order, orderText(view));
    order.title = orderNote(view);
    const text = loadingTimeText(view);
    time.hidden = text === '';
    setText(time, text);
  };
  const showPlace = (rows: readonly [first: number, end: number]): void => {
    visible = rows;
    showVisible();
    showSortByKey();
  };
  show(null);
  return { root, show, showPlace };
}

/** The rows in view, such as `Rows 1–30 of 1,000`. */
function placeText(
  { browsing, shownRows }: Pick<ResultView, 'browsing' | 'shownRows'>,
  [first, end]: readonly [first: number, end: number],
): string {
  if (!browsing) return '';
  if (shownRows === 0) return browsing.hasEnd ? t('No rows') : '';
  if (end <= first) return '';
  const last = Math.min(end, shownRows);
  const isOne = last === first + 1;
  const total = browsing.hasEnd ? formatCount(shownRows) : `${formatCount(shownRows)}+`;
  return isOne
    ? t('Row {0} of {1}', formatCount(last), total)
    : t('Rows {0}–{1} of {2}', formatCount(first + 1), formatCount(last), total);
}

function orderText({ browsing, arrangement, columns }: ResultView): string {
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

/** Whether rows come in no fixed order although the table has a primary key. */
export const canSortByKey = (view: Pick<ResultView, 'browsing' | 'columns'> | null): boolean =>
  view?.browsing?.byStatement === false && view.columns.some(({ isKey }) => isKey);

function orderNote({ browsing, arrangement }: ResultView): string {
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

/** The time of the first rows; '' while they are loading. */
function loadingTimeText({ state, elapsedMs }: ResultView): string {
  return state === 'done' || state === 'more' ? formatDuration(elapsedMs, pageLanguage()) : '';
}
