import type { BrowseView } from '../../../src/protocol/browsing.ts';
import { browsingMethods } from '../../../src/protocol/browsing.ts';
import type { BrowsingLabels } from '../../../src/protocol/labels.ts';
import type { ResultView } from '../../../src/protocol/results.ts';
import { element } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { repetitionOf, standingOf } from './browsingSentences.ts';
import './browsing.css';

export interface BrowseBarOptions {
  readonly labels: BrowsingLabels;
  /** Asks the host for something that needs nothing but its name. */
  readonly ask: (method: string) => void;
}

/** The line that says where in a table one stands, in whose order, and what can be done about it. */
export class BrowseBar {
  readonly root = element('div', 'browsing');
  readonly #labels: BrowsingLabels;
  readonly #standing = element('span', 'standing');
  readonly #order = element('span', 'order');
  readonly #repetition = element('p', 'repetition');
  readonly #count: HTMLButtonElement;
  #view: ResultView | null = null;

  constructor({ labels, ask }: BrowseBarOptions) {
    this.#labels = labels;
    const button = (label: string, method: string): HTMLButtonElement => createPlainButton(label, () => ask(method));
    this.#count = createPlainButton(labels.countRows, () => {
      if (this.#count.getAttribute('aria-disabled') === 'true') return;
      ask(this.#view?.browsing?.counting ? browsingMethods.stopCounting : browsingMethods.count);
    });
    this.#repetition.setAttribute('role', 'status');
    this.root.setAttribute('role', 'group');
    const line = element('div', 'line');
    line.append(
      ...[this.#standing, button(labels.goToRow, browsingMethods.askRow), this.#count, this.#order],
      ...[button(labels.showStatement, browsingMethods.showStatement), button(labels.refresh, browsingMethods.refresh)],
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
    // Whose order it is, is not known before there are rows: a sorted table that is restored has none at first.
    this.#order.hidden = view.columns.length === 0;
    this.#order.title = browsing.byStatement ? statementOrderNote : serviceOrderNote;
    const repetition = repetitionOf(browsing, pageLanguage(), this.#labels);
    // Text that is set again would be read out again.
    if (this.#repetition.textContent !== repetition) this.#repetition.textContent = repetition;
    this.#repetition.hidden = repetition === '';
  }

  /** The rows in view are others, or there are more of them. */
  moved(visible: readonly [number, number]): void {
    const [view, browsing] = [this.#view, this.#view?.browsing];
    if (!view || !browsing) return;
    const isFiltered = view.arrangement.filters.length > 0;
    const standing = { visible, isFiltered, rowCount: view.shownRows, language: pageLanguage() };
    const sentence = standingOf(browsing, standing, this.#labels);
    if (this.#standing.textContent !== sentence) this.#standing.textContent = sentence;
  }

  /** Its button stays where it is, and focused, while it counts and when it has: for who pressed it by key. */
  #showCount({ hasEnd, counting }: BrowseView): void {
    const { countRows, stopCounting } = this.#labels;
    this.#count.textContent = counting ? stopCounting : countRows;
    this.#count.setAttribute('aria-disabled', String(hasEnd && !counting));
  }
}
