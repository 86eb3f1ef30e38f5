import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { ResultView } from '../../../src/protocol/results.ts';
import type { ColumnFilter } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createIconButton, createPlainButton } from '../../ui/iconButton.ts';
import { placeBelow, type PopupPlace } from '../../ui/popup.ts';
import { visibleText } from '../../ui/visibleText.ts';
import type { Arranger } from './arranger.ts';
import './arrange.css';

export interface ArrangementBarOptions {
  readonly labels: GridLabels;
  readonly arranger: Arranger;
  readonly nameOf: (column: number) => string;
  readonly editFilter: (column: number, place: PopupPlace) => void;
  readonly restoreFocus: () => void;
}

/** The bar above filtered or pending rows: a chip for each filter, the number of rows that pass, and the progress. */
export class ArrangementBar {
  readonly root = element('div', 'arrangement');
  /** Tells a screen reader how many rows pass. It stands apart, because the bar itself comes and goes. */
  readonly live = element('div', 'live');
  readonly #options: ArrangementBarOptions;
  readonly #chips = element('div', 'chips');
  readonly #count = element('span', 'count');
  readonly #progress = element('div', 'arranging');
  readonly #progressBar = element('progress');
  #shown: readonly ColumnFilter[] = [];

  constructor(options: ArrangementBarOptions) {
    this.#options = options;
    const { labels, arranger, restoreFocus } = options;
    this.live.setAttribute('role', 'status');
    this.#chips.setAttribute('role', 'group');
    this.#chips.setAttribute('aria-label', labels.filters);
    this.#progressBar.setAttribute('aria-label', labels.arranging);
    this.#progressBar.max = 1;
    const cancel = createPlainButton(labels.cancel, () => {
      arranger.cancel();
      restoreFocus();
    });
    this.#progress.append(element('span', '', labels.arranging), this.#progressBar, cancel);
    this.root.append(this.#chips, this.#count, this.#progress);
    this.show({ shownRows: 0, rowCount: 0, arranging: undefined });
  }

  show({ shownRows, rowCount, arranging }: Pick<ResultView, 'shownRows' | 'rowCount' | 'arranging'>): void {
    const { labels, arranger, restoreFocus } = this.#options;
    const { filters } = arranger.latest;
    this.root.hidden = filters.length === 0 && !arranger.isPending;
    if (!arranger.isPending && this.#progress.contains(document.activeElement)) restoreFocus();
    this.#progress.hidden = !arranger.isPending;
    if (arranging === undefined) this.#progressBar.removeAttribute('value');
    else this.#progressBar.value = arranging;
    if (filters !== this.#shown) this.#showChips(filters);
    this.#count.hidden = filters.length === 0 || arranger.isPending;
    this.#count.textContent = fill(labels.rowsOf, formatCount(shownRows), formatCount(rowCount));
  }

  /** Tells how many rows pass. Not called while rows arrive: a screen reader would read nothing else. */
  announce(rowCount: number): void {
    const { rows, oneRow } = this.#options.labels;
    const all = rowCount === 1 ? oneRow : fill(rows, formatCount(rowCount));
    this.live.textContent = this.#shown.length > 0 ? this.#count.textContent : all;
  }

  #showChips(filters: readonly ColumnFilter[]): void {
    this.#shown = filters;
    const { labels, arranger, restoreFocus } = this.#options;
    const chips = filters.map(filter => this.#createChip(filter));
    if (filters.length > 1) chips.push(createPlainButton(labels.removeAllFilters, () => arranger.clearFilters()));
    if (this.#chips.contains(document.activeElement)) restoreFocus();
    this.#chips.replaceChildren(...chips);
  }

  #createChip(filter: ColumnFilter): HTMLElement {
    const { labels, arranger, nameOf, editFilter, restoreFocus } = this.#options;
    const { column } = filter;
    const chip = element('span', 'chip');
    const text = chipText(filter, nameOf(column), labels);
    const edit = createPlainButton(text, () => editFilter(column, placeBelow(chip)));
    edit.title = text;
    const remove = createIconButton({
      label: fill(labels.removeFilter, text),
      sign: '×',
      onClick: () => {
        restoreFocus();
        arranger.filter(column, undefined);
      },
    });
    chip.append(edit, remove);
    return chip;
  }
}

const formatCount = (count: number): string => count.toLocaleString(pageLanguage());

/** A filter in words. Marks stand for invisible characters of its texts. */
function chipText(filter: ColumnFilter, column: string, labels: GridLabels): string {
  const write = (label: string, ...texts: readonly string[]): string => fill(label, column, ...texts.map(toVisible));
  switch (filter.kind) {
    case 'contains':
      return write(labels.chipContains, filter.text);
    case 'equals':
      return write(labels.chipEquals, filter.text);
    case 'null':
      return write(filter.isNull ? labels.chipNull : labels.chipNotNull);
    case 'range':
      if (filter.to === undefined) return write(labels.chipFrom, filter.from ?? '');
      if (filter.from === undefined) return write(labels.chipTo, filter.to);
      return write(labels.chipRange, filter.from, filter.to);
  }
}

const toVisible = (text: string): string => visibleText(text);
