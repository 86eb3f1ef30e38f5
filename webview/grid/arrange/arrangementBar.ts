import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { ColumnFilter } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createIconButton, createPlainButton } from '../../ui/iconButton.ts';
import { belowOf } from '../columns/headerPointer.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import type { Arranger } from './arranger.ts';
import { sentenceOf } from './filterSentence.ts';
import './arrange.css';

export interface ArrangementBarOptions {
  readonly labels: GridLabels;
  readonly arranger: Arranger;
  readonly nameOf: (column: number) => string;
  readonly edit: (column: number, place: PopupPlace) => void;
  readonly giveBackFocus: () => void;
}

/** Above the grid while rows are filtered or being arranged: the filters, how many rows they leave, and how far it is. */
export class ArrangementBar {
  readonly root = element('div', 'arrangement');
  /** Reads out how many rows there are with other filters. It stands apart, since the bar itself comes and goes. */
  readonly live = element('div', 'live');
  readonly #options: ArrangementBarOptions;
  readonly #chips = element('div', 'chips');
  readonly #count = element('span', 'count');
  readonly #progress = element('div', 'arranging');
  readonly #bar = element('progress');
  #shown: readonly ColumnFilter[] = [];

  constructor(options: ArrangementBarOptions) {
    this.#options = options;
    const { labels, arranger } = options;
    this.live.setAttribute('role', 'status');
    this.#chips.setAttribute('role', 'group');
    this.#chips.setAttribute('aria-label', labels.filters);
    this.#bar.setAttribute('aria-label', labels.arranging);
    this.#bar.max = 1;
    const cancel = createPlainButton(labels.cancel, () => {
      arranger.cancel();
      options.giveBackFocus();
    });
    this.#progress.append(element('span', '', labels.arranging), this.#bar, cancel);
    this.root.append(this.#chips, this.#count, this.#progress);
    this.show({ shownRows: 0, rowCount: 0, arranging: undefined });
  }

  show(rows: { shownRows: number; rowCount: number; arranging: number | undefined }): void {
    const { labels, arranger } = this.#options;
    const { filters } = arranger.wanted;
    this.root.hidden = filters.length === 0 && !arranger.isPending;
    if (!arranger.isPending && this.#progress.contains(document.activeElement)) this.#options.giveBackFocus();
    this.#progress.hidden = !arranger.isPending;
    if (rows.arranging === undefined) this.#bar.removeAttribute('value');
    else this.#bar.value = rows.arranging;
    if (filters !== this.#shown) this.#showChips(filters);
    this.#count.hidden = filters.length === 0 || arranger.isPending;
    const [shown, all] = [rows.shownRows, rows.rowCount].map(count => count.toLocaleString(pageLanguage()));
    this.#count.textContent = fill(labels.rowsOf, shown ?? '', all ?? '');
  }

  /** Not while more rows come: a screen reader would read nothing else. */
  tell(rowCount: number): void {
    const { rows, oneRow } = this.#options.labels;
    const all = rowCount === 1 ? oneRow : fill(rows, rowCount.toLocaleString(pageLanguage()));
    this.live.textContent = this.#shown.length > 0 ? this.#count.textContent : all;
  }

  #showChips(filters: readonly ColumnFilter[]): void {
    this.#shown = filters;
    const { labels, arranger, nameOf, edit, giveBackFocus } = this.#options;
    const chips = filters.map(filter => {
      const chip = element('span', 'chip');
      const sentence = sentenceOf(filter, nameOf(filter.column), labels);
      const change = createPlainButton(sentence, () => edit(filter.column, belowOf(chip)));
      change.title = sentence;
      const remove = (): void => {
        giveBackFocus();
        arranger.filter(filter.column, undefined);
      };
      chip.append(change, createIconButton({ label: fill(labels.removeFilter, sentence), sign: '×', onClick: remove }));
      return chip;
    });
    if (filters.length > 1) chips.push(createPlainButton(labels.removeAllFilters, () => arranger.clearFilters()));
    if (this.#chips.contains(document.activeElement)) giveBackFocus();
    this.#chips.replaceChildren(...chips);
  }
}
