import { t } from '@vscode/l10n';
import type { ColumnFilter } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { ChoiceField, TextField } from '../../ui/field.ts';
import { formatCount } from '../../ui/counts.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { openPopup, type PopupPlace } from '../../ui/popup.ts';
import type { GridParts } from '../gridView.ts';
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

/** The most values that a list shows. The user searches for others. */
const maxListed = 500;

interface FilterFormOptions extends GridParts {
  readonly column: number;
  readonly name: string;
  /** In place of the filter's own operator. */
  readonly operator?: FilterOperator | undefined;
  readonly place: PopupPlace;
}

/** Opens the form for the filter of a column. Enter applies it. */
export function openFilterForm(options: FilterFormOptions): void {
  const { column, name, operator, place, view, arranger, calls, onFailed, restoreFocus } = options;
  const filter = arranger.filterOf(column);
  const title = t('Filter {0}', name);
  const operators = new ChoiceField({ label: t('Condition') });
  const text = new TextField({ label: t('Value') });
  const from = new TextField({ label: t('From') });
  const to = new TextField({ label: t('To') });
  const count = element('span', 'count', { role: 'status' });
  const applyButton = createPlainButton(t('Apply'), () => undefined);
  const clearButton = createPlainButton(t('Clear Filter'), () => submit(undefined));
  const values = new ValueList({
    chosen: filter && (filter.kind === 'in' || filter.kind === 'equals') ? valuesOf(filter) : { texts: [] },
    load: (search, signal) => calls.send('values', { query: { column, search, maxValues: maxListed } }, signal),
    onFailed,
    onToggled: () => showChosen(),
  });
  const chosenOperator = (): FilterOperator =>
    filterOperators.find(other => other === operators.control.value) ?? 'equals';
  const submit = (submitted: ColumnFilter | undefined): void => {
    popup.close();
    arranger.filter(column, submitted);
  };
  /** Without a chosen value, a list is no filter. A search may hide chosen values, so their number shows. */
  const showChosen = (): void => {
    const { root, chosenCount } = values;
    count.textContent = root.hidden ? '' : t('{0} selected', formatCount(chosenCount));
    applyButton.disabled = !root.hidden && chosenCount === 0;
  };
  const showFields = (): void => {
    const arity = arityOf(chosenOperator());
    text.root.hidden = arity !== 'one';
    from.root.hidden = arity !== 'two';
    to.root.hidden = arity !== 'two';
    values.root.hidden = arity !== 'list';
    if (arity === 'list') values.open();
    showChosen();
    popup.fit();
  };
  const typedValues: Readonly<Record<ReturnType<typeof arityOf>, () => FilterValues>> = {
    none: () => ({ texts: [] }),
    one: () => ({ texts: [text.control.value] }),
    two: () => ({ texts: [from.control.value, to.control.value] }),
    list: () => values.chosen,
  };
  const ownOperator = filter ? operatorOf(filter) : defaultOperator(view.isNumeric(column));
  operators.show(
    filterOperators.map(value => ({ value, label: wordOf(value) })),
    operator ?? ownOperator,
  );
  operators.control.addEventListener('change', showFields);
  // Every field that the filter has a value for is filled in. The user may choose another operator.
  const [first = '', second = ''] = filter ? valuesOf(filter).texts : [];
  text.value = first;
  from.value = filter?.kind === 'range' ? (filter.from ?? '') : first;
  to.value = filter?.kind === 'range' ? (filter.to ?? '') : second;
  applyButton.type = 'submit';
  clearButton.disabled = !filter;
  const buttons = element('div', 'buttons', [applyButton, clearButton, count]);
  const form = element('form', 'filter-form');
  form.append(element('strong', 'title', title), operators.root, text.root, from.root, to.root, values.root, buttons);
  form.addEventListener('submit', event => {
    event.preventDefault();
    const chosen = chosenOperator();
    submit(filterFrom(chosen, column, typedValues[arityOf(chosen)]()));
  });
  const dialog = element('div', '', { role: 'dialog', 'aria-label': title });
  dialog.append(form);
  const popup = openPopup({
    content: dialog,
    place,
    onClose: () => {
      values.dispose();
      restoreFocus();
    },
  });
  showFields();
  const firstField = [text, from, values].find(({ root }) => !root.hidden);
  (firstField?.control ?? operators.control).focus();
}
