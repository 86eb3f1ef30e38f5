import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import { openMenu } from '../../ui/menu.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import { columnKeys } from '../input/gridKeys.ts';
import type { Arranger } from '../arrange/arranger.ts';
import type { ColumnLayout } from './columnLayout.ts';

export interface ColumnMenuOptions {
  readonly labels: GridLabels;
  readonly layout: ColumnLayout;
  readonly arranger: Arranger;
  readonly nameOf: (column: number) => string;
  readonly openFilter: (column: number, place: PopupPlace) => void;
  readonly select: (position: number) => void;
  readonly autoFit: (columns: readonly number[]) => void;
  readonly chooseShown: () => void;
  /** Does what changes the layout, and what follows from that. */
  readonly change: (edit: () => void) => void;
  readonly giveBackFocus: () => void;
}

/** What can be done with one column. */
export function openColumnMenu(options: ColumnMenuOptions, position: number, place: PopupPlace): void {
  const { labels, layout, arranger, change, select, autoFit, openFilter, nameOf } = options;
  const column = layout.columnAt(position);
  const { sort } = arranger.wanted;
  const key = sort.find(one => one.column === column);
  const others = sort.some(one => one.column !== column);
  const sortItem = (descending: boolean, label: string, add: boolean) => ({
    label,
    ...(add ? {} : { checked: key?.descending === descending }),
    run: () => arranger.sort(column, { column, descending }, add),
  });
  const last = layout.shown.length - 1;
  const frozenHere = layout.frozen === position + 1;
  openMenu({
    label: fill(labels.columnMenu, nameOf(column)),
    place,
    onClose: options.giveBackFocus,
    items: [
      sortItem(false, labels.sortAscending, false),
      sortItem(true, labels.sortDescending, false),
      ...(others && !key
        ? [sortItem(false, labels.thenAscending, true), sortItem(true, labels.thenDescending, true)]
        : []),
      { label: labels.sortNone, disabled: !key, run: () => arranger.sort(column, undefined, true) },
      'line',
      { label: labels.filterColumn, run: () => openFilter(column, place) },
      {
        label: labels.clearFilter,
        disabled: !arranger.filterOf(column),
        run: () => arranger.filter(column, undefined),
      },
      'line',
      { label: labels.selectColumn, keys: columnKeys, run: () => select(position) },
      { label: labels.fit, run: () => autoFit([column]) },
      { label: labels.fitAll, run: () => autoFit(layout.shown) },
      frozenHere
        ? { label: labels.unfreeze, run: () => change(() => layout.freeze(0)) }
        : { label: labels.freeze, run: () => change(() => layout.freeze(position + 1)) },
      'line',
      {
        ...{ label: labels.moveLeft, keys: 'Alt+Shift+ArrowLeft', disabled: position === 0 },
        run: () => change(() => layout.move(column, position - 1)),
      },
      {
        ...{ label: labels.moveRight, keys: 'Alt+Shift+ArrowRight', disabled: position === last },
        run: () => change(() => layout.move(column, position + 1)),
      },
      { label: labels.hide, disabled: last === 0, run: () => change(() => layout.hide(column)) },
      {
        ...{ label: fill(labels.showAll, layout.hidden.length), disabled: layout.hidden.length === 0 },
        run: () => change(() => layout.showAll()),
      },
      { label: labels.chooseColumns, disabled: layout.order.length === 1, run: options.chooseShown },
    ],
  });
}
