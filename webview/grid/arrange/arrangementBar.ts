import { t } from '@vscode/l10n';
import type { ResultView } from '../../../src/protocol/results.ts';
import { type Arrangement, type ColumnFilter, isFiltered } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { formatCount, rowsLabel } from '../../ui/counts.ts';
import { createIconButton, createPlainButton } from '../../ui/iconButton.ts';
import { placeBelow, type PopupPlace } from '../../ui/popup.ts';
import { visibleText } from '../../ui/visibleText.ts';
import type { Arranger } from './arranger.ts';
import { createFilterField } from './filterField.ts';
import { filterText, parseFilter } from './filterText.ts';
import './arrange.css';

/** The parts of a grid by which filters are shown and edited. */
export interface FilterParts {
  readonly arranger: Arranger;
  readonly nameOf: (column: number) => string;
  readonly isNumeric: (column: number) => boolean;
  readonly editFilter: (column: number, place: PopupPlace) => void;
}

interface ArrangementBarOptions extends FilterParts {
  readonly restoreFocus: () => void;
}

/** The bar above filtered or pending rows: a chip for each filter, the number of rows that pass, and the progress. */
export class ArrangementBar {
  readonly root = element('div', 'arrangement');
  /** Tells screen readers how many rows pass. It is not in the bar, which is hidden at times. */
  readonly live = element('div', 'live', { role: 'status' });
  readonly #options: ArrangementBarOptions;
  readonly #chips = element('div', 'chips', { role: 'group', 'aria-label': t('Filters') });
  readonly #count = element('span', 'count');
  readonly #progress = element('div', 'arranging');
  readonly #progressBar = element('progress', '', { 'aria-label': t('Arranging rows…') });
  #shownArrangement: Pick<Arrangement, 'filters' | 'search'> = { filters: [] };
  #searchField: HTMLInputElement | undefined;

  constructor(options: ArrangementBarOptions) {
    this.#options = options;
    const { arranger, restoreFocus } = options;
    const cancel = createPlainButton(t('Cancel'), () => {
      arranger.cancel();
      restoreFocus();
    });
    this.#progress.append(element('span', '', t('Arranging rows…')), this.#progressBar, cancel);
    this.root.append(this.#chips, this.#count, this.#progress);
    this.show({ shownRows: 0, rowCount: 0, arranging: undefined });
  }

  show(view: Pick<ResultView, 'shownRows' | 'rowCount' | 'arranging' | 'browsing'>): void {
    const { rowCount, arranging, browsing } = view;
    const { arranger, restoreFocus } = this.#options;
    const { latest } = arranger;
    this.#showOrHide();
    if (!arranger.isPending && this.#progress.contains(document.activeElement)) restoreFocus();
    this.#progress.hidden = !arranger.isPending;
    if (arranging === undefined) this.#progressBar.removeAttribute('value');
    else this.#progressBar.value = arranging;
    if (latest.filters !== this.#shownArrangement.filters || latest.search !== this.#shownArrangement.search)
      this.#showChips(latest);
    this.#count.hidden = !isFiltered(latest) || arranger.isPending;
    const shownRows = formatCount(view.shownRows);
    const countText =
      rowCount === 1 ? t('{0} of 1 row', shownRows) : t('{0} of {1} rows', shownRows, formatCount(rowCount));
    // The head line of a browsed table has the row count.
    this.#count.textContent = browsing ? '' : countText;
  }

  /** Not called while rows arrive: a screen reader would read nothing else. */
  announce(rowCount: number): void {
    const isFilteredNow = isFiltered({ sort: [], ...this.#shownArrangement });
    this.live.textContent = isFilteredNow ? this.#count.textContent : rowsLabel(rowCount);
  }

  /** Opens a field for a text that rows must contain in any column. */
  editSearch(): void {
    this.root.hidden = false;
    const searchChip = this.#chips.querySelector<HTMLElement>('.search-chip');
    const chip = element('span', 'chip search-chip');
    if (searchChip) searchChip.replaceWith(chip);
    else this.#chips.prepend(chip);
    this.#editSearchIn(chip, this.#options.arranger.latest.search ?? '');
  }

  /** The bar is shown while it has chips, a progress or an open field. */
  #showOrHide(): void {
    const { latest, isPending } = this.#options.arranger;
    this.root.hidden = !isFiltered(latest) && !isPending && !this.#searchField;
  }

  #showChips(shown: Pick<Arrangement, 'filters' | 'search'>): void {
    this.#shownArrangement = shown;
    const { filters, search } = shown;
    const { arranger, restoreFocus } = this.#options;
    const chips = filters.map(filter => this.#createChip(filter));
    if (search !== undefined) chips.unshift(this.#createSearchChip(search));
    if (chips.length > 1) chips.push(createPlainButton(t('Clear Filters'), () => arranger.clearFilters()));
    if (this.#chips.contains(document.activeElement)) restoreFocus();
    this.#chips.replaceChildren(...chips);
  }

  /** A chip shows its filter as a text. The user edits the text in place, or opens a form. */
  #createChip(filter: ColumnFilter): HTMLElement {
    const { arranger, nameOf, editFilter } = this.#options;
    const { column } = filter;
    const text = `${nameOf(column)} ${visibleText(filterText(filter))}`;
    const chip = this.#chipWith({
      text,
      edit: () => this.#editText(chip, filter),
      clear: () => arranger.filter(column, undefined),
    });
    const openForm = createIconButton({
      label: `${t('Edit Filter')}: ${text}`,
      sign: '▾',
      onClick: () => editFilter(column, placeBelow(chip)),
    });
    chip.firstElementChild?.after(openForm);
    return chip;
  }

  #createSearchChip(search: string): HTMLElement {
    const chip = this.#chipWith({
      text: t('Any column contains {0}', visibleText(search)),
      edit: () => this.editSearch(),
      clear: () => this.#options.arranger.search(''),
    });
    chip.classList.add('search-chip');
    return chip;
  }

  #chipWith({ text, edit, clear }: { text: string; edit: () => void; clear: () => void }): HTMLElement {
    const chip = element('span', 'chip');
    const label = createPlainButton(text, edit);
    label.title = text;
    const remove = createIconButton({
      label: t('Clear Filter: {0}', text),
      sign: '×',
      onClick: () => {
        this.#options.restoreFocus();
        clear();
      },
    });
    chip.append(label, remove);
    return chip;
  }

  /** Puts a field into the chip of the search. Enter applies the text, and Escape leaves the rows as they are. */
  #editSearchIn(chip: HTMLElement, text: string): void {
    const { arranger, restoreFocus } = this.#options;
    const close = (): void => {
      if (this.#searchField !== field) return;
      this.#searchField = undefined;
      const { search } = arranger.latest;
      if (search === undefined) chip.remove();
      else if (chip.contains(field)) chip.replaceWith(this.#createSearchChip(search));
      this.#showOrHide();
    };
    const field = createFilterField<string>({
      label: t('Search All Rows'),
      value: text,
      parse: typed => ({ isValid: true, filter: typed }),
      apply: typed => {
        restoreFocus();
        arranger.search(typed ?? '');
      },
      cancel: restoreFocus,
      close,
    });
    field.placeholder = t('Text in any column');
    this.#searchField = field;
    chip.replaceChildren(field);
    field.focus();
    field.select();
  }

  /** Replaces the text of a chip by a field. Enter applies the filter, and Escape restores the chip. */
  #editText(chip: HTMLElement, filter: ColumnFilter): void {
    const { arranger, nameOf, isNumeric, editFilter, restoreFocus } = this.#options;
    const { column } = filter;
    const name = nameOf(column);
    const close = (): void => {
      if (chip.contains(field)) chip.replaceWith(this.#createChip(filter));
    };
    const field = createFilterField({
      label: t('Filter {0}', name),
      value: filterText(filter),
      parse: text => parseFilter(text, column, isNumeric(column)),
      apply: applied => {
        restoreFocus();
        arranger.filter(column, applied);
      },
      openForm: () => editFilter(column, placeBelow(chip)),
      cancel: () => {
        restoreFocus();
        close();
      },
      close,
    });
    chip.replaceChildren(element('span', 'chip-name', name), field);
    field.focus();
    field.select();
  }
}
