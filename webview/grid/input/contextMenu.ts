import type { GridView } from '../gridView.ts';
import type { PopupPlace } from '../../ui/popup.ts';
import { activeCellId } from '../rows/gridRow.ts';
import { belowOf, headerOf } from '../columns/headerPointer.ts';

export interface ContextMenuActions {
  readonly openColumnMenu: (place: PopupPlace, position: number) => void;
  readonly openCellMenu: (place: PopupPlace) => void;
}

/** Opens the grid's own menus where VS Code would open that of its webviews. */
export function listenToContextMenu(root: HTMLElement, actions: ContextMenuActions): void {
  root.addEventListener('contextmenu', event => {
    event.preventDefault();
    const place = { x: event.clientX, y: event.clientY };
    const header = headerOf(event.target);
    if (header) actions.openColumnMenu(place, header.position);
    else actions.openCellMenu(place);
  });
}

/** Where a menu of the active cell opens that no pointer asked for: where the cell is by now, which keys may just have moved. */
export function placeOfActiveCell(view: GridView): PopupPlace {
  view.settle();
  const { root } = view;
  return belowOf(root.querySelector<HTMLElement>(`#${activeCellId}`) ?? root);
}

export function placeOfActiveHeader(view: GridView): PopupPlace {
  view.settle();
  const header = view.root.querySelector<HTMLElement>('[role="columnheader"].active');
  return header ? belowOf(header) : placeOfActiveCell(view);
}
