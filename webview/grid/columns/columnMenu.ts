import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { FilterOperator } from '../arrange/filterOperators.ts';
import { type MenuItem, openMenu } from '../../ui/menu.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import type { Arranger } from '../arrange/arranger.ts';
import type { Shortcut } from '../../ui/shortcut.ts';
import type { ColumnLayout } from '../columnLayout.ts';

/** Ctrl on a Mac, too: Cmd+Space belongs to the system. */
export const selectColumnKeys: Shortcut = 'Control+Space';

interface ColumnMenuOptions {
  readonly labels: GridLabels;
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
  const { labels, layout, position, place, nameOf, autoFit, chooseShown, changeLayout, restoreFocus } = options;
  const column = layout.columnAt(position);
  openMenu({
    label: fill(labels.columnMenu, nameOf(column)),
    place,
    onClose: restoreFocus,
    items: [
      { label: labels.sortGroup, items: sortItems(options, column) },
      ...filterItems(options, column),
      'line',
      { label: labels.columnGroup, items: columnItems(options, column) },
      { label: labels.fitAll, run: () => autoFit(layout.shown) },
      { label: labels.chooseColumns, disabled: layout.order.length === 1, run: chooseShown },
      {
        label: fill(labels.showAll, layout.hidden.length),
        disabled: layout.hidden.length === 0,
        run: () => changeLayout(() => layout.showAll()),
      },
    ],
  });
}

function sortItems({ labels, arranger }: ColumnMenuOptions, column: number): MenuItem[] {
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
  const items = [sortBy(labels.sortAscending, false), sortBy(labels.sortDescending, true)];
  if (hasOtherKeys && !key) {
    items.push(thenSortBy(labels.thenAscending, false), thenSortBy(labels.thenDescending, true));
  }
  items.push({ label: labels.sortNone, disabled: !key, run: () => arranger.sort(column, undefined, true) });
  return items;
}

function filterItems({ labels, arranger, openFilter }: ColumnMenuOptions, column: number): MenuItem[] {
  return [
    { label: labels.filterColumn, run: () => openFilter(column) },
    { label: labels.filterValues, run: () => openFilter(column, 'in') },
    {
      label: labels.clearFilter,
      disabled: !arranger.filterOf(column),
      run: () => arranger.filter(column, undefined),
    },
  ];
}

function columnItems(options: ColumnMenuOptions, column: number): MenuItem[] {
  const { labels, layout, position, select, autoFit, changeLayout } = options;
  const isLastFrozen = layout.frozen === position + 1;
  const last = layout.shown.length - 1;
  return [
    { label: labels.selectColumn, keys: selectColumnKeys, run: select },
    { label: labels.fit, run: () => autoFit([column]) },
    isLastFrozen
      ? { label: labels.unfreeze, run: () => changeLayout(() => layout.freeze(0)) }
      : { label: labels.freeze, run: () => changeLayout(() => layout.freeze(position + 1)) },
    {
      label: labels.moveLeft,
      keys: 'Alt+Shift+ArrowLeft',
      disabled: position === 0,
      run: () => changeLayout(() => layout.move(column, position - 1)),
    },
    {
      label: labels.moveRight,
      keys: 'Alt+Shift+ArrowRight',
      disabled: position === last,
      run: () => changeLayout(() => layout.move(column, position + 1)),
    },
    { label: labels.hide, disabled: last === 0, run: () => changeLayout(() => layout.hide(column)) },
  ];
}
