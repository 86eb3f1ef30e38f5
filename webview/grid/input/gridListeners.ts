import { headerOf } from '../columns/headerPointer.ts';
import type { GridView } from '../gridView.ts';
import { followDrag } from '../pointer/drag.ts';
import type { Selection, SelectionUnit } from '../selection/selection.ts';
import { type GridInputs, listenToKeys } from './gridKeys.ts';

export function listenToGrid(inputs: GridInputs): void {
  selectByPointer(inputs.view, inputs.selection);
  listenToContextMenu(inputs);
  listenToKeys(inputs);
}

/** Opens the grid's menus in place of VS Code's menu for webviews. */
function listenToContextMenu({ view, columns, cells }: GridInputs): void {
  view.root.addEventListener('contextmenu', event => {
    event.preventDefault();
    const place = { x: event.clientX, y: event.clientY };
    const header = headerOf(event.target);
    if (header) columns.openMenu(place, header.position);
    else cells.openMenu(place);
  });
}

/** Clicks and drags select cells, or rows by their numbers. Shift extends the selection, and Ctrl or Cmd adds to it. */
function selectByPointer(view: GridView, selection: Selection): void {
  view.root.addEventListener('pointerdown', event => {
    const target = event.target instanceof Element ? event.target.closest('.cell') : null;
    if (!target || view.rowCount === 0) return;
    if (target.classList.contains('corner')) return selection.growTo('all');
    const unit = unitOf(target);
    if (!unit) return;
    const cell = view.geometry.cellAt(event.clientX, event.clientY);
    // The right button opens the menu of the selection. Outside of the selection, it selects first, as any other button.
    if (event.button !== 0) {
      if (!selection.contains(cell.row, cell.position)) selection.start(cell, unit);
      return;
    }
    if (event.shiftKey) selection.extendTo(cell);
    else selection.start(cell, unit, event.ctrlKey || event.metaKey);
    extendByDragging(view, selection, event);
  });
}

function unitOf(target: Element): SelectionUnit | undefined {
  const role = target.getAttribute('role');
  return role === 'gridcell' ? 'cells' : role === 'rowheader' ? 'rows' : undefined;
}

function extendByDragging(view: GridView, selection: Selection, start: PointerEvent): void {
  followDrag({
    on: view.root,
    start,
    move: ({ clientX, clientY }) => {
      const cell = view.geometry.cellAt(clientX, clientY);
      const { row, position } = selection.active;
      if (cell.row !== row || cell.position !== position) selection.extendTo(cell);
    },
    distanceOutside: event => {
      const { x, y } = view.geometry.distanceOutside(event, start);
      // Whole rows need no horizontal scrolling.
      return { x: selection.unit === 'rows' ? 0 : x, y };
    },
  });
}
