import { t } from '@vscode/l10n';
import type { FilterOperator } from '../arrange/filterOperators.ts';
import { type MenuItem, openMenu } from '../../ui/menu.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import type { Arranger } from '../arrange/arranger.ts';
import type { Shortcut } from '../../ui/keys.ts';
import type { ColumnLayout } from '../columnLayout.ts';

/** Ctrl on a Mac, too: Cmd+Space belongs to the system. */
export const selectColumnKeys: Shortcut = 'Control+Space';

interface ColumnMenuOptions {
  readonly layout: ColumnLayout;
  readonly arranger: Arranger;
  readonly position: number;
  readonly place: PopupPlace;
  readonly nameOf: (column: number) => string;
  readonly openFilter: (column: number, operator?: FilterOperator) => void;
  readonly select: () => void;
  readonly autoFit: (columns: readonly number[]) => void;
  readonly chooseShown: () => void;
  readonly changeLayout: (change: () => void) => void;
  readonly restoreFocus: () => void;
}

/** Opens the menu of a column. */
export function openColumnMenu(options: ColumnMenuOptions): void {
  const { layout, position, place, nameOf, autoFit, chooseShown, changeLayout, restoreFocus } = options;
  const column = layout.columnAt(position);
  openMenu({
    label: t('Column {0}', nameOf(column)),
    place,
    onClose: restoreFocus,
    items: [
      { label: t('Sort'), items: sortItems(options, column) },
      ...filterItems(options, column),
      'line',
      { label: t('Column'), items: columnItems(options, column) },
      { label: t('Auto-size All Columns'), run: () => autoFit(layout.shown) },
      { label: t('Choose Columns…'), disabled: layout.order.length === 1, run: chooseShown },
      {
        label: t('Show Hidden Columns ({0})', layout.hidden.length),
        disabled: layout.hidden.length === 0,
        run: () => changeLayout(() => layout.showAll()),
      },
    ],
  });
}

function sortItems({ arranger }: ColumnMenuOptions, column: number): MenuItem[] {
  const { sort } = arranger.latest;
  const key = sort.find(other => other.column === column);
  const hasOtherKeys = sort.some(other => other.column !== column);
  const sortBy = (label: string, descending: boolean): MenuItem => ({
    label,
    checked: key?.descending === descending,
    run: () => arranger.sort(column, { column, descending }, false),
  });
  const thenSortBy = (label: string, descending: boolean): MenuItem => ({
    label,
    run: () => arranger.sort(column, { column, descending }, true),
  });
  const items = [sortBy(t('Sort Ascending'), false), sortBy(t('Sort Descending'), true)];
  if (hasOtherKeys && !key) {
    items.push(thenSortBy(t('Add to Sort (Ascending)'), false), thenSortBy(t('Add to Sort (Descending)'), true));
  }
  items.push({ label: t('Clear Sort'), disabled: !key, run: () => arranger.sort(column, undefined, true) });
  return items;
}

function filterItems({ arranger, openFilter }: ColumnMenuOptions, column: number): MenuItem[] {
  return [
    { label: t('Filter…'), run: () => openFilter(column) },
    { label: t('Filter by Values…'), run: () => openFilter(column, 'in') },
    {
      label: t('Clear Filter'),
      disabled: !arranger.filterOf(column),
      run: () => arranger.filter(column, undefined),
    },
  ];
}

function columnItems(options: ColumnMenuOptions, column: number): MenuItem[] {
  const { layout, position, select, autoFit, changeLayout } = options;
  const isLastFrozen = layout.frozen === position + 1;
  const last = layout.shown.length - 1;
  return [
    { label: t('Select Column'), keys: selectColumnKeys, run: select },
    { label: t('Auto-size Column'), run: () => autoFit([column]) },
    isLastFrozen
      ? { label: t('Unfreeze'), run: () => changeLayout(() => layout.freeze(0)) }
      : { label: t('Freeze up to This Column'), run: () => changeLayout(() => layout.freeze(position + 1)) },
    {
      label: t('Move Left'),
      keys: 'Alt+Shift+ArrowLeft',
      disabled: position === 0,
      run: () => changeLayout(() => layout.move(column, position - 1)),
    },
    {
      label: t('Move Right'),
      keys: 'Alt+Shift+ArrowRight',
      disabled: position === last,
      run: () => changeLayout(() => layout.move(column, position + 1)),
    },
    { label: t('Hide Column'), disabled: last === 0, run: () => changeLayout(() => layout.hide(column)) },
  ];
}
