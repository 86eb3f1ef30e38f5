import { element } from '../../ui/element.ts';
import { placeBelow, type PopupPlace } from '../../ui/popup.ts';
import type { GridView } from '../gridView.ts';
import { followDrag, EdgeScroller } from '../pointer/drag.ts';
import type { ColumnLayout } from '../columnLayout.ts';

/** A shorter movement is a click. */
const minDragPixels = 5;

interface HeaderActions {
  readonly sort: (column: number, add: boolean) => void;
  readonly select: (position: number) => void;
  readonly resize: (column: number, width: number) => void;
  readonly autoFit: (column: number) => void;
  readonly move: (column: number, position: number) => void;
  readonly openMenu: (position: number, place: PopupPlace) => void;
}

/** A click on a header sorts, a drag moves the column, and a drag of its edge resizes the column. */
export function listenToHeader(view: GridView, layout: ColumnLayout, actions: HeaderActions): void {
  const pointer = new HeaderPointer(view, layout, actions);
  const { root } = view;
  root.addEventListener('pointerdown', event => pointer.press(event));
  root.addEventListener('dblclick', ({ clientX, clientY }) => {
    // The target is the element that captured the pointer, not the one below the pointer.
    const target = document.elementFromPoint(clientX, clientY);
    const header = headerOf(target);
    if (header && isIn(target, '.edge')) actions.autoFit(layout.columnAt(header.position));
  });
  root.addEventListener('click', ({ target }) => {
    const header = headerOf(target);
    if (header && isIn(target, '.column-menu')) actions.openMenu(header.position, placeBelow(header.root));
  });
}

class HeaderPointer {
  readonly #view: GridView;
  readonly #layout: ColumnLayout;
  readonly #actions: HeaderActions;
  readonly #mark = element('div', 'drop-mark');

  constructor(view: GridView, layout: ColumnLayout, actions: HeaderActions) {
    this.#view = view;
    this.#layout = layout;
    this.#actions = actions;
  }

  press(event: PointerEvent): void {
    const { target } = event;
    const header = headerOf(target);
    if (!header || event.button !== 0 || isIn(target, '.column-menu')) return;
    if (isIn(target, '.edge')) this.#resize(header.position, event);
    else this.#drag(header.position, event);
  }

  #resize(position: number, start: PointerEvent): void {
    const column = this.#layout.columnAt(position);
    const width = this.#layout.widthAt(position);
    const resizeTo = (x: number): void => this.#actions.resize(column, width + x - start.clientX);
    followDrag({
      on: this.#view.root,
      start,
      move: ({ clientX }) => resizeTo(clientX),
      end: dropped => {
        if (!dropped) resizeTo(start.clientX);
      },
    });
  }

  #drag(position: number, start: PointerEvent): void {
    const { root } = this.#view;
    const column = this.#layout.columnAt(position);
    let last = start;
    let target: number | undefined;
    const follow = (): void => {
      target = this.#view.geometry.positionAt(last.clientX);
      const edge = this.#view.geometry.edgeAt(target > position ? target + 1 : target);
      this.#mark.style.transform = `translateX(${edge}px)`;
      root.firstElementChild?.append(this.#mark);
    };
    const scroller = new EdgeScroller({
      distance: () => ({ x: this.#view.geometry.distanceOutside(last, start).x, y: 0 }),
      scrollBy: x => root.scrollBy(x, 0),
      onScrolled: follow,
    });
    followDrag({
      on: root,
      start,
      move: event => {
        last = event;
        if (target === undefined && Math.abs(event.clientX - start.clientX) < minDragPixels) return;
        follow();
        scroller.start();
      },
      end: dropped => {
        scroller.stop();
        this.#mark.remove();
        if (!dropped) return;
        if (target !== undefined) this.#actions.move(column, target);
        else if (start.ctrlKey || start.metaKey) this.#actions.select(position);
        else this.#actions.sort(column, start.shiftKey);
      },
    });
  }
}

export function headerOf(target: EventTarget | null): { root: HTMLElement; position: number } | undefined {
  const root = target instanceof Element ? target.closest<HTMLElement>('[role="columnheader"]') : null;
  return root ? { root, position: Number(root.getAttribute('aria-colindex')) - 2 } : undefined;
}

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;
