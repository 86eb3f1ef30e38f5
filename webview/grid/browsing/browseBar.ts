import type { BrowseView } from '../../../src/protocol/browsing.ts';
import type { BrowsingLabels } from '../../../src/protocol/labels.ts';
import type { ResultView } from '../../../src/protocol/results.ts';
import { element, setText } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { placeText, repetitionText } from './browseTexts.ts';
import './browsing.css';

/** Methods of the host that take nothing. */
export type BrowseCommand = 'askRow' | 'count' | 'stopCounting' | 'showStatement' | 'refresh';

export interface BrowseBarOptions {
  readonly labels: BrowsingLabels;
  readonly run: (command: BrowseCommand) => void;
}

/** The line above a browsed table: which rows are in view, in whose order, and buttons for the table. */
export class BrowseBar {
  readonly root = element('div', 'browsing');
  readonly #labels: BrowsingLabels;
  readonly #place = element('span', 'rows-in-view');
  readonly #order = element('span', 'order');
  readonly #repetition = element('p', 'repetition');
  readonly #count: HTMLButtonElement;
  #view: ResultView | null = null;

  constructor({ labels, run }: BrowseBarOptions) {
    this.#labels = labels;
    this.#count = createPlainButton(labels.countRows, () => {
      if (this.#count.getAttribute('aria-disabled') === 'true') return;
      run(this.#view?.browsing?.counting ? 'stopCounting' : 'count');
    });
    this.#repetition.setAttribute('role', 'status');
    this.root.setAttribute('role', 'group');
    const line = element('div', 'line');
    line.append(
      this.#place,
      createPlainButton(labels.goToRow, () => run('askRow')),
      this.#count,
      this.#order,
      createPlainButton(labels.showStatement, () => run('showStatement')),
      createPlainButton(labels.refresh, () => run('refresh')),
    );
    this.root.append(line, this.#repetition);
    this.show(null);
  }

  show(view: ResultView | null): void {
    this.#view = view;
    const browsing = view?.browsing;
    this.root.hidden = !browsing;
    if (!view || !browsing) return;
    this.#showCount(browsing);
    const { statementOrder, statementOrderNote, serviceOrder, serviceOrderNote } = this.#labels;
    this.#order.textContent = browsing.byStatement ? statementOrder : serviceOrder;
    this.#order.title = browsing.byStatement ? statementOrderNote : serviceOrderNote;
    // Before the first rows, a restored table does not know its order.
    this.#order.hidden = view.columns.length === 0;
    const repetition = repetitionText(browsing, pageLanguage(), this.#labels);
    setText(this.#repetition, repetition);
    this.#repetition.hidden = repetition === '';
  }

  showPlace(visible: readonly [first: number, end: number]): void {
    const view = this.#view;
    if (!view?.browsing) return;
    const place = {
      visible,
      isFiltered: view.arrangement.filters.length > 0,
      rowCount: view.shownRows,
      language: pageLanguage(),
    };
    setText(this.#place, placeText(view.browsing, place, this.#labels));
  }

  /** The button keeps its place and the focus while the host counts and afterwards, for users of the keyboard. */
  #showCount({ hasEnd, counting }: BrowseView): void {
    const { countRows, stopCounting } = this.#labels;
    this.#count.textContent = counting ? stopCounting : countRows;
    this.#count.setAttribute('aria-disabled', String(hasEnd && !counting));
  }
}
