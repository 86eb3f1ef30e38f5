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
  readonly giveBackFocus: () => void;
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

/** Asks what rows of a column are to be shown. Enter applies it. */
export function openFilterForm(options: FilterFormOptions): void {
  const { labels, column, name, filter, place } = options;
  const form = element('form', 'filter-form');
  form.setAttribute('role', 'dialog');
  const title = fill(labels.filterTitle, name);
  form.setAttribute('aria-label', title);
  const kind = createSelect(labels.filterKind, kinds, which => labels[kindLabels[which]]);
  const [text, from, to] = [
    createField(labels.filterText),
    createField(labels.filterFrom),
    createField(labels.filterTo),
  ];
  const buttons = element('div', 'buttons');
  const apply = createPlainButton(labels.apply, () => {});
  apply.type = 'submit';
  const clear = createPlainButton(labels.clearFilter, () => done(undefined));
  clear.disabled = !filter;
  buttons.append(apply, clear);
  form.append(element('strong', 'title', title), kind.root, text.root, from.root, to.root, buttons);
  fillIn(filter, { kind: kind.control, text: text.control, from: from.control, to: to.control });

  const show = (): void => {
    text.root.hidden = kind.control.value !== 'contains' && kind.control.value !== 'equals';
    from.root.hidden = to.root.hidden = kind.control.value !== 'range';
  };
  const popup = openPopup({ content: form, place, onClose: options.giveBackFocus });
  const done = (next: ColumnFilter | undefined): void => {
    popup.close();
    options.apply(next);
  };
  kind.control.addEventListener('change', show);
  form.addEventListener('submit', event => {
    event.preventDefault();
    const values = { text: text.control.value, from: from.control.value, to: to.control.value };
    done(filterFrom(kind.control.value as Kind, column, values));
  });
  show();
  (text.root.hidden ? kind : text).control.focus();
}

/** A filter of what was typed. Empty fields of a range leave that side open; with both empty, there is nothing to filter. */
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
      return { kind, column, ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) };
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
  if (filter.kind === 'range') [from.value, to.value] = [filter.from ?? '', filter.to ?? ''];
}

function createField(label: string): { root: HTMLElement; control: HTMLInputElement } {
  const [root, control] = [element('label', 'labelled', label), element('input', 'field')];
  control.spellcheck = false;
  root.append(control);
  return { root, control };
}

function createSelect<Value extends string>(
  label: string,
  values: readonly Value[],
  labelOf: (value: Value) => string,
): { root: HTMLElement; control: HTMLSelectElement } {
  const [root, control] = [element('label', 'labelled', label), element('select', 'field')];
  for (const value of values) {
    const option = element('option', '', labelOf(value));
    option.value = value;
    control.append(option);
  }
  root.append(control);
  return { root, control };
}
