import { t } from '@vscode/l10n';
import type { ColumnFilter, ValueCounts } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { openPopup, type PopupPlace } from '../../ui/popup.ts';
import {
  arityOf,
  defaultOperator,
  filterFrom,
  type FilterOperator,
  filterOperators,
  operatorOf,
  valuesOf,
  wordOf,
} from './filterOperators.ts';
import { listText, parseList } from './filterText.ts';
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
  readonly #form = element('form', 'filter-form');
  readonly #operator: HTMLSelectElement;
  readonly #text: Labelled;
  readonly #from: Labelled;
  readonly #to: Labelled;
  readonly #list: Labelled;
  readonly #values: ValueList;

  constructor(options: FilterFormOptions) {
    this.#options = options;
    const { name, filter, isNumeric } = options;
    const title = t('Filter {0}', name);
    this.#form.setAttribute('role', 'dialog');
    this.#form.setAttribute('aria-label', title);
    const operator = createSelect();
    this.#operator = operator.control;
    this.#operator.value = options.operator ?? (filter ? operatorOf(filter) : defaultOperator(isNumeric));
    this.#text = createField(t('Value'));
    this.#from = createField(t('From'));
    this.#to = createField(t('To'));
    this.#list = createField(t('Values'));
    this.#list.control.placeholder = t('Separated by commas');
    this.#values = new ValueList({
      load: options.loadValues,
      onFailed: options.onFailed,
      isChosen: text => this.#isListed(text),
      toggle: text => this.#toggle(text),
    });
    this.#fillIn();
    this.#form.append(
      element('strong', 'title', title),
      operator.root,
      this.#text.root,
      this.#from.root,
      this.#to.root,
      this.#list.root,
      this.#values.root,
      this.#createButtons(),
    );
  }

  open(): void {
    const { place, restoreFocus, apply, column } = this.#options;
    const popup = openPopup({
      content: this.#form,
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
    this.#operator.addEventListener('change', () => {
      this.#showFields();
      popup.fit();
    });
    this.#list.control.addEventListener('input', () => this.#values.refresh());
    this.#form.addEventListener('submit', event => {
      event.preventDefault();
      const operator = this.#chosenOperator;
      const values = this.#typedValues(operator);
      if (values) submit(filterFrom(operator, column, values));
      else this.#list.control.setAttribute('aria-invalid', 'true');
    });
    this.#form.querySelector('.clear')?.addEventListener('click', () => submit(undefined));
    this.#showFields();
    popup.fit();
    const first = [this.#text, this.#from, this.#list].find(({ root }) => !root.hidden);
    (first?.control ?? this.#operator).focus();
  }

  get #chosenOperator(): FilterOperator {
    return filterOperators.find(operator => operator === this.#operator.value) ?? 'equals';
  }

  #createButtons(): HTMLElement {
    const { filter } = this.#options;
    const buttons = element('div', 'buttons');
    const apply = createPlainButton(t('Apply'), () => undefined);
    apply.type = 'submit';
    const clear = createPlainButton(t('Clear Filter'), () => undefined);
    clear.classList.add('clear');
    clear.disabled = !filter;
    buttons.append(apply, clear);
    return buttons;
  }

  /** Fills every field that the filter has a value for. The user may choose another operator. */
  #fillIn(): void {
    const { filter } = this.#options;
    if (!filter) return;
    const values = valuesOf(filter);
    const [text = '', second = ''] = values.texts;
    this.#text.control.value = text;
    this.#from.control.value = filter.kind === 'range' ? (filter.from ?? '') : text;
    this.#to.control.value = filter.kind === 'range' ? (filter.to ?? '') : second;
    this.#list.control.value = listText(values);
  }

  #showFields(): void {
    const arity = arityOf(this.#chosenOperator);
    this.#text.root.hidden = arity !== 'one';
    this.#from.root.hidden = arity !== 'two';
    this.#to.root.hidden = arity !== 'two';
    this.#list.root.hidden = arity !== 'list';
    this.#values.root.hidden = arity !== 'list';
    if (arity === 'list') this.#values.open();
  }

  #typedValues(operator: FilterOperator): ReturnType<typeof parseList> {
    switch (arityOf(operator)) {
      case 'none':
        return { texts: [] };
      case 'one':
        return { texts: [this.#text.control.value] };
      case 'two':
        return { texts: [this.#from.control.value, this.#to.control.value] };
      case 'list':
        return parseList(this.#list.control.value);
    }
  }

  #isListed(text: string | null): boolean {
    const { texts, withNull } = parseList(this.#list.control.value) ?? { texts: [], withNull: false };
    return text === null ? withNull === true : texts.includes(text);
  }

  #toggle(text: string | null): void {
    const { texts, withNull = false } = parseList(this.#list.control.value) ?? { texts: [] };
    const without = texts.filter(other => other !== text);
    const toggled = text === null || without.length < texts.length ? without : [...texts, text];
    this.#list.control.value = listText({ texts: toggled, withNull: text === null ? !withNull : withNull });
  }
}

interface Labelled {
  readonly root: HTMLElement;
  readonly control: HTMLInputElement;
}

function createField(label: string): Labelled {
  const root = element('label', 'labelled', label);
  const control = element('input', 'field');
  control.spellcheck = false;
  root.append(control);
  return { root, control };
}

function createSelect(): { root: HTMLElement; control: HTMLSelectElement } {
  const root = element('label', 'labelled', t('Condition'));
  const control = element('select', 'field');
  for (const operator of filterOperators) {
    const option = element('option', '', wordOf(operator));
    option.value = operator;
    control.append(option);
  }
  root.append(control);
  return { root, control };
}
