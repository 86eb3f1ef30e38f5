import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { ColumnFilter } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { openPopup, type PopupPlace } from '../../ui/popup.ts';
import './arrange.css';

export interface FilterFormOptions {
  readonly labels: GridLabels;
  readonly column: number;
  readonly name: string;
  readonly filter: ColumnFilter | undefined;
  readonly place: PopupPlace;
  readonly apply: (filter: ColumnFilter | undefined) => void;
  readonly restoreFocus: () => void;
}

const kinds = ['contains', 'equals', 'range', 'null', 'notNull'] as const;
type Kind = (typeof kinds)[number];

const kindLabels = {
  contains: 'filterContains',
  equals: 'filterEquals',
  range: 'filterRange',
  null: 'filterNull',
  notNull: 'filterNotNull',
} as const satisfies Record<Kind, keyof GridLabels>;

/** Opens the form for the filter of a column. Enter applies it. */
export function openFilterForm(options: FilterFormOptions): void {
  const { labels, column, name, filter, place } = options;
  const form = element('form', 'filter-form');
  form.setAttribute('role', 'dialog');
  const title = fill(labels.filterTitle, name);
  form.setAttribute('aria-label', title);
  const kind = createSelect(labels.filterKind, kinds, value => labels[kindLabels[value]]);
  const text = createField(labels.filterText);
  const from = createField(labels.filterFrom);
  const to = createField(labels.filterTo);
  const buttons = element('div', 'buttons');
  const apply = createPlainButton(labels.apply, () => {});
  apply.type = 'submit';
  const clear = createPlainButton(labels.clearFilter, () => submit(undefined));
  clear.disabled = !filter;
  buttons.append(apply, clear);
  form.append(element('strong', 'title', title), kind.root, text.root, from.root, to.root, buttons);
  fillIn(filter, { kind: kind.control, text: text.control, from: from.control, to: to.control });

  const showFields = (): void => {
    text.root.hidden = kind.control.value !== 'contains' && kind.control.value !== 'equals';
    from.root.hidden = to.root.hidden = kind.control.value !== 'range';
  };
  const popup = openPopup({ content: form, place, onClose: options.restoreFocus });
  const submit = (submitted: ColumnFilter | undefined): void => {
    popup.close();
    options.apply(submitted);
  };
  kind.control.addEventListener('change', showFields);
  form.addEventListener('submit', event => {
    event.preventDefault();
    const values = { text: text.control.value, from: from.control.value, to: to.control.value };
    submit(filterFrom(kind.control.value as Kind, column, values));
  });
  showFields();
  (text.root.hidden ? kind : text).control.focus();
}

/** The filter for the typed texts. An empty field of a range leaves that side open; two empty fields filter nothing. */
export function filterFrom(
  kind: Kind,
  column: number,
  { text, from, to }: { readonly text: string; readonly from: string; readonly to: string },
): ColumnFilter | undefined {
  switch (kind) {
    case 'contains':
      return text === '' ? undefined : { kind, column, text };
    case 'equals':
      return { kind, column, text };
    case 'range':
      if (from === '' && to === '') return undefined;
      return { kind, column, ...(from !== '' && { from }), ...(to !== '' && { to }) };
    case 'null':
    case 'notNull':
      return { kind: 'null', column, isNull: kind === 'null' };
  }
}

interface Controls {
  readonly kind: HTMLSelectElement;
  readonly text: HTMLInputElement;
  readonly from: HTMLInputElement;
  readonly to: HTMLInputElement;
}

function fillIn(filter: ColumnFilter | undefined, { kind, text, from, to }: Controls): void {
  if (!filter) return;
  kind.value = filter.kind === 'null' && !filter.isNull ? 'notNull' : filter.kind;
  if (filter.kind === 'contains' || filter.kind === 'equals') text.value = filter.text;
  if (filter.kind !== 'range') return;
  from.value = filter.from ?? '';
  to.value = filter.to ?? '';
}

function createField(label: string): { root: HTMLElement; control: HTMLInputElement } {
  const root = element('label', 'labelled', label);
  const control = element('input', 'field');
  control.spellcheck = false;
  root.append(control);
  return { root, control };
}

function createSelect<Value extends string>(
  label: string,
  values: readonly Value[],
  labelOf: (value: Value) => string,
): { root: HTMLElement; control: HTMLSelectElement } {
  const root = element('label', 'labelled', label);
  const control = element('select', 'field');
  for (const value of values) {
    const option = element('option', '', labelOf(value));
    option.value = value;
    control.append(option);
  }
  root.append(control);
  return { root, control };
}
