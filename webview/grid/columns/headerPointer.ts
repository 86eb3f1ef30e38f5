import { element } from '../../ui/element.ts';
import { placeBelow } from '../../ui/popup.ts';
import type { GridParts, GridView } from '../gridView.ts';
import { followDrag, resizeByDragging } from '../pointer/drag.ts';
import type { ColumnCommands } from './columnCommands.ts';

/** A shorter movement is a click. */
const minDragPixels = 5;

/** A click on a header sorts, a drag moves the column, and a drag of its edge resizes the column. */
export function listenToHeader({ view, layout, arranger }: GridParts, columns: ColumnCommands): void {
  const { root } = view;
  root.addEventListener('pointerdown', event => {
    const { target } = event;
    const header = headerOf(target);
    if (!header || event.button !== 0 || isIn(target, '.column-menu')) return;
    const column = layout.columnAt(header.position);
    if (isIn(target, '.edge')) {
      const width = layout.widthAt(header.position);
      resizeByDragging(root, event, pixels => columns.resize(column, width + pixels));
      return;
    }
    followHeader(view, header.position, event, dropPosition => {
      if (dropPosition !== undefined) columns.move(column, dropPosition);
      else if (event.ctrlKey || event.metaKey) columns.select(header.position, true);
      else arranger.toggleSort(column, event.shiftKey);
    });
  });
  root.addEventListener('dblclick', ({ clientX, clientY }) => {
    // The target is the element that captured the pointer, not the one below the pointer.
    const target = document.elementFromPoint(clientX, clientY);
    const header = headerOf(target);
    if (header && isIn(target, '.edge')) columns.autoFit([layout.columnAt(header.position)]);
  });
  root.addEventListener('click', ({ target }) => {
    const header = headerOf(target);
    if (header && isIn(target, '.column-menu')) columns.openMenu(placeBelow(header.root), header.position);
  });
}

/** Marks the place of a dragged header. Calls `onDrop` with the position there, or with undefined after a click. */
function followHeader(
  { root, geometry }: GridView,
  position: number,
  start: PointerEvent,
  onDrop: (target: number | undefined) => void,
): void {
  const mark = element('div', 'drop-mark');
  let target: number | undefined;
  followDrag({
    on: root,
    start,
    move: ({ clientX }) => {
      if (target === undefined && Math.abs(clientX - start.clientX) < minDragPixels) return;
      target = geometry.positionAt(clientX);
      const edge = geometry.edgeAt(target > position ? target + 1 : target);
      mark.style.transform = `translateX(${edge}px)`;
      root.firstElementChild?.append(mark);
    },
    distanceOutside: event => ({
      x: target === undefined ? 0 : geometry.distanceOutside(event, start).x,
      y: 0,
    }),
    end: dropped => {
      mark.remove();
      if (dropped) onDrop(target);
    },
  });
}

export function headerOf(target: EventTarget | null): { root: HTMLElement; position: number } | undefined {
  const root = target instanceof Element ? target.closest<HTMLElement>('[role="columnheader"]') : null;
  return root ? { root, position: Number(root.getAttribute('aria-colindex')) - 2 } : undefined;
}

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;
