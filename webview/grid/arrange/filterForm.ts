import { t } from '@vscode/l10n';
import type { ColumnFilter, ValueCounts } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { ChoiceField, TextField } from '../../ui/field.ts';
import { formatCount } from '../../ui/counts.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { openPopup, type PopupPlace } from '../../ui/popup.ts';
import {
  arityOf,
  defaultOperator,
  filterFrom,
  type FilterOperator,
  filterOperators,
  operatorOf,
  type FilterValues,
  valuesOf,
  wordOf,
} from './filterOperators.ts';
import { ValueList } from './valueList.ts';
import './arrange.css';

interface FilterFormOptions {
  readonly column: number;
  readonly name: string;
  readonly isNumeric: boolean;
  readonly filter: ColumnFilter | undefined;
  /** In place of the filter's own operator. */
  readonly operator?: FilterOperator | undefined;
  readonly place: PopupPlace;
  /** The distinct values of the column that contain a text. */
  readonly loadValues: (search: string, signal: AbortSignal) => Promise<ValueCounts>;
  readonly onFailed: (thrown: unknown) => void;
  readonly apply: (filter: ColumnFilter | undefined) => void;
  readonly restoreFocus: () => void;
}

/** The form for the filter of a column. Enter applies it. */
export class FilterForm {
  readonly #options: FilterFormOptions;
  readonly #dialog = element('div');
  readonly #form = element('form', 'filter-form');
  readonly #operator = new ChoiceField({ label: t('Condition') });
  readonly #text = new TextField({ label: t('Value') });
  readonly #from = new TextField({ label: t('From') });
  readonly #to = new TextField({ label: t('To') });
  readonly #values: ValueList;
  readonly #count = element('span', 'count');
  readonly #apply = createPlainButton(t('Apply'), () => undefined);

  constructor(options: FilterFormOptions) {
    this.#options = options;
    const { name, filter, isNumeric } = options;
    const title = t('Filter {0}', name);
    this.#dialog.setAttribute('role', 'dialog');
    this.#dialog.setAttribute('aria-label', title);
    this.#dialog.append(this.#form);
    const ownOperator = filter ? operatorOf(filter) : defaultOperator(isNumeric);
    const operators = filterOperators.map(operator => ({ value: operator, label: wordOf(operator) }));
    this.#operator.show(operators, options.operator ?? ownOperator);
    this.#values = new ValueList({
      chosen: filter && (filter.kind === 'in' || filter.kind === 'equals') ? valuesOf(filter) : { texts: [] },
      load: options.loadValues,
      onFailed: options.onFailed,
      onToggled: () => this.#showChosen(),
    });
    this.#fillIn();
    this.#form.append(
      element('strong', 'title', title),
      this.#operator.root,
      this.#text.root,
      this.#from.root,
      this.#to.root,
      this.#values.root,
      this.#createButtons(),
    );
  }

  open(): void {
    const { place, restoreFocus, apply, column } = this.#options;
    const popup = openPopup({
      content: this.#dialog,
      place,
      onClose: () => {
        this.#values.dispose();
        restoreFocus();
      },
    });
    const submit = (filter: ColumnFilter | undefined): void => {
      popup.close();
      apply(filter);
    };
    this.#operator.control.addEventListener('change', () => {
      this.#showFields();
      popup.fit();
    });
    this.#form.addEventListener('submit', event => {
      event.preventDefault();
      const operator = this.#chosenOperator;
      submit(filterFrom(operator, column, this.#typedValues(operator)));
    });
    this.#form.querySelector('.clear')?.addEventListener('click', () => submit(undefined));
    this.#showFields();
    popup.fit();
    const first = [this.#text, this.#from, this.#values].find(({ root }) => !root.hidden);
    (first?.control ?? this.#operator.control).focus();
  }

  get #chosenOperator(): FilterOperator {
    return filterOperators.find(operator => operator === this.#operator.control.value) ?? 'equals';
  }

  #createButtons(): HTMLElement {
    const { filter } = this.#options;
    const buttons = element('div', 'buttons');
    this.#apply.type = 'submit';
    this.#count.setAttribute('role', 'status');
    const clear = createPlainButton(t('Clear Filter'), () => undefined);
    clear.classList.add('clear');
    clear.disabled = !filter;
    buttons.append(this.#apply, clear, this.#count);
    return buttons;
  }

  /** Fills every field that the filter has a value for. The user may choose another operator. */
  #fillIn(): void {
    const { filter } = this.#options;
    if (!filter) return;
    const values = valuesOf(filter);
    const [text = '', second = ''] = values.texts;
    this.#text.value = text;
    this.#from.value = filter.kind === 'range' ? (filter.from ?? '') : text;
    this.#to.value = filter.kind === 'range' ? (filter.to ?? '') : second;
  }

  #showFields(): void {
    const arity = arityOf(this.#chosenOperator);
    this.#text.root.hidden = arity !== 'one';
    this.#from.root.hidden = arity !== 'two';
    this.#to.root.hidden = arity !== 'two';
    this.#values.root.hidden = arity !== 'list';
    if (arity === 'list') this.#values.open();
    this.#showChosen();
  }

  /** Without a chosen value, a list is no filter. A search may hide chosen values, so their number shows. */
  #showChosen(): void {
    const { root, chosenCount } = this.#values;
    this.#count.textContent = root.hidden ? '' : t('{0} selected', formatCount(chosenCount));
    this.#apply.disabled = !root.hidden && chosenCount === 0;
  }

  #typedValues(operator: FilterOperator): FilterValues {
    switch (arityOf(operator)) {
      case 'none':
        return { texts: [] };
      case 'one':
        return { texts: [this.#text.control.value] };
      case 'two':
        return { texts: [this.#from.control.value, this.#to.control.value] };
      case 'list':
        return this.#values.chosen;
    }
  }
}
