import { placeBelow, type PopupPlace } from '../../ui/popup.ts';
import { headerOf } from '../columns/headerPointer.ts';
import type { GridView } from '../gridView.ts';
import { activeCellId } from '../rows/gridRow.ts';

interface ContextMenuActions {
  readonly openColumnMenu: (place: PopupPlace, position: number) => void;
  readonly openCellMenu: (place: PopupPlace) => void;
}

/** Opens the grid's menus in place of VS Code's menu for webviews. */
export function listenToContextMenu(root: HTMLElement, actions: ContextMenuActions): void {
  root.addEventListener('contextmenu', event => {
    event.preventDefault();
    const place = { x: event.clientX, y: event.clientY };
    const header = headerOf(event.target);
    if (header) actions.openColumnMenu(place, header.position);
    else actions.openCellMenu(place);
  });
}

/** The place for a menu that a key opens: below the active cell. Paints first, since a key may just have moved the cell. */
export function placeOfActiveCell(view: GridView): PopupPlace {
  view.settle();
  const { root } = view;
  return placeBelow(root.querySelector<HTMLElement>(`#${activeCellId}`) ?? root);
}

export function placeOfActiveHeader(view: GridView): PopupPlace {
  view.settle();
  const header = view.root.querySelector<HTMLElement>('[role="columnheader"].active');
  return header ? placeBelow(header) : placeOfActiveCell(view);
}
