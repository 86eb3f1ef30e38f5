import { t } from '@vscode/l10n';
import type { ResultView } from '../../../src/protocol/results.ts';
import { element, setText } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { canSortByKey, loadingTimeText, orderNote, orderText, placeText } from './browseTexts.ts';
import './browsing.css';

/** Before this row, counting the rows up to it takes no time that a user would notice. */
const firstSlowRow = 10_000;

interface BrowseBarOptions {
  /** Has the service count the rows, stops it, or sorts the rows by the primary key. */
  readonly run: (command: 'count' | 'stopCounting' | 'sortByKey') => void;
  /** Called when the focused button goes away. */
  readonly passFocus: () => void;
}

/** The left side of the head line of a browsed table: the rows in view, their order, and the time of the first rows. */
export class BrowseBar {
  readonly root = element('div', 'browsing');
  readonly #options: BrowseBarOptions;
  readonly #place = element('span', 'rows-in-view');
  readonly #order = element('span', 'order');
  readonly #time = element('span', 'time');
  readonly #count: HTMLButtonElement;
  readonly #sortByKey: HTMLButtonElement;
  #view: ResultView | null = null;
  #visible: readonly [first: number, end: number] = [0, 0];

  constructor(options: BrowseBarOptions) {
    this.#options = options;
    const { run } = options;
    this.#count = createPlainButton(t('Count Rows'), () =>
      run(this.#view?.browsing?.counting ? 'stopCounting' : 'count'),
    );
    this.#sortByKey = createPlainButton(t('Sort by Primary Key'), () => run('sortByKey'));
    this.root.append(this.#place, this.#count, this.#order, this.#sortByKey, this.#time);
    this.show(null);
  }

  show(view: ResultView | null): void {
    this.#view = view;
    const browsing = view?.browsing;
    this.root.hidden = !browsing;
    if (!view || !browsing) return;
    this.#showPlace();
    this.#showCount();
    this.#showSortByKey();
    // Before the first rows, a restored table does not know its order.
    this.#order.hidden = view.columns.length === 0;
    setText(this.#order, orderText(view));
    this.#order.title = orderNote(view);
    const time = loadingTimeText(view, pageLanguage());
    this.#time.hidden = time === '';
    setText(this.#time, time);
  }

  showPlace(visible: readonly [first: number, end: number]): void {
    this.#visible = visible;
    this.#showPlace();
    this.#showSortByKey();
  }

  #showPlace(): void {
    if (!this.#view?.browsing) return;
    const place = placeText(this.#view, this.#visible, pageLanguage());
    setText(this.#place, place);
    this.#place.hidden = place === '';
  }

  /** The button is there where unsorted rows come slowly: the service reads all rows before those in view. */
  #showSortByKey(): void {
    const isShown = this.#visible[0] >= firstSlowRow && canSortByKey(this.#view);
    if (!isShown && this.#sortByKey === document.activeElement) this.#options.passFocus();
    this.#sortByKey.hidden = !isShown;
  }

  /** The button is there while the number of rows is not known. */
  #showCount(): void {
    const { passFocus } = this.#options;
    const { hasEnd = true, counting = false } = this.#view?.browsing ?? {};
    const isShown = (!hasEnd || counting) && (this.#view?.columns.length ?? 0) > 0;
    if (!isShown && this.#count === document.activeElement) passFocus();
    this.#count.hidden = !isShown;
    this.#count.textContent = counting ? t('Stop Counting') : t('Count Rows');
  }
}
