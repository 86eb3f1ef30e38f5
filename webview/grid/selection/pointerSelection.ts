import type { GridView } from '../gridView.ts';
import { followDrag } from '../input/drag.ts';
import { EdgeScroller } from '../input/edgeScroller.ts';
import type { Selection, SelectionUnit } from './selection.ts';

/** Selects by clicks and by dragging: cells, and rows by their numbers. Shift extends, Ctrl or Cmd adds. */
export function selectByPointer(view: GridView, selection: Selection): void {
  view.root.addEventListener('pointerdown', event => {
    const target = event.target instanceof Element ? event.target.closest('.cell') : null;
    if (!target || view.rowCount === 0) return;
    if (target.classList.contains('corner')) return selection.growTo('all');
    const unit = unitOf(target);
    if (!unit) return;
    const cell = view.geometry.cellAt(event.clientX, event.clientY);
    // The other button opens a menu, for what is selected when it is over that.
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
  let last: PointerEvent | undefined;
  const extend = (): void => {
    if (!last) return;
    const cell = view.geometry.cellAt(last.clientX, last.clientY);
    const { row, position } = selection.active;
    if (cell.row !== row || cell.position !== position) selection.extendTo(cell);
  };
  const scroller = new EdgeScroller({
    outside: () => {
      const { x, y } = view.geometry.outside(last ?? start, start);
      // Whole rows are the same wherever one looks.
      return { x: selection.unit === 'rows' ? 0 : x, y };
    },
    scrollBy: (x, y) => view.scrollBy(x, y),
    scrolled: extend,
  });
  followDrag({
    on: view.root,
    start,
    move: event => {
      last = event;
      extend();
      scroller.start();
    },
    end: () => scroller.stop(),
  });
}
