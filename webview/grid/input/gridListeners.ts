import type { ColumnLayout } from '../columnLayout.ts';
import type { ColumnCommands } from '../columns/columnCommands.ts';
import type { EditCommands } from '../editing/editCommands.ts';
import type { FindBar } from '../find/findBar.ts';
import type { GridView } from '../gridView.ts';
import type { RecordView } from '../record/recordView.ts';
import type { Selection, SelectionUnit } from '../selection/selection.ts';
import type { CellCommands } from './cellCommands.ts';
import { listenToKeys } from './gridKeys.ts';
import { placeBelow, type PopupPlace } from '../../ui/popup.ts';
import { headerOf } from '../columns/headerPointer.ts';
import { activeCellId } from '../rows/gridRow.ts';
import { followDrag, EdgeScroller } from '../pointer/drag.ts';

interface GridListenersOptions {
  readonly view: GridView;
  readonly selection: Selection;
  readonly layout: ColumnLayout;
  readonly columns: ColumnCommands;
  readonly cells: CellCommands;
  readonly edits: EditCommands;
  readonly find: FindBar;
  readonly record: RecordView;
  readonly search: () => void;
  /** Edits the active cell, or opens its row. */
  readonly open: () => unknown;
  readonly goToRow: () => void;
}

/** Makes the grid answer to the pointer, to keys and to the context menu. */
export function listenToGrid(options: GridListenersOptions): void {
  const { view, selection, layout, columns, cells, edits, find, record, search, open, goToRow } = options;
  selectByPointer(view, selection);
  listenToContextMenu(view.root, {
    openColumnMenu: (place, position) => columns.openMenu(place, position),
    openCellMenu: place => cells.openMenu(place),
  });
  listenToKeys({
    view,
    selection,
    columnCount: () => layout.shown.length,
    commands: {
      copy: headers => cells.copy('tsv', headers),
      find: () => find.open(),
      search,
      goToRow,
      findNext: backwards => find.next(backwards),
      toggleRecord: () => record.toggle(),
      open,
      edits,
      follow: () => cells.follow(),
      showReferencing: () => cells.showReferencing(),
      openColumnMenu: () => columns.openMenu(placeOfActiveHeader(view)),
      openCellMenu: () => cells.openMenu(placeOfActiveCell(view)),
      widenBy: steps => columns.widenBy(steps),
      moveColumnBy: positions => columns.moveBy(positions),
    },
  });
}

interface ContextMenuActions {
  readonly openColumnMenu: (place: PopupPlace, position: number) => void;
  readonly openCellMenu: (place: PopupPlace) => void;
}

/** Opens the grid's menus in place of VS Code's menu for webviews. */
function listenToContextMenu(root: HTMLElement, actions: ContextMenuActions): void {
  root.addEventListener('contextmenu', event => {
    event.preventDefault();
    const place = { x: event.clientX, y: event.clientY };
    const header = headerOf(event.target);
    if (header) actions.openColumnMenu(place, header.position);
    else actions.openCellMenu(place);
  });
}

/** The place for a menu that a key opens: below the active cell. Paints first, since a key may just have moved the cell. */
function placeOfActiveCell(view: GridView): PopupPlace {
  view.settle();
  const { root } = view;
  return placeBelow(root.querySelector<HTMLElement>(`#${activeCellId}`) ?? root);
}

function placeOfActiveHeader(view: GridView): PopupPlace {
  view.settle();
  const header = view.root.querySelector<HTMLElement>('[role="columnheader"].active');
  return header ? placeBelow(header) : placeOfActiveCell(view);
}

/** Selects cells, and rows by their numbers, by clicks and drags. Shift extends the selection, Ctrl or Cmd adds to it. */
function selectByPointer(view: GridView, selection: Selection): void {
  view.root.addEventListener('pointerdown', event => {
    const target = event.target instanceof Element ? event.target.closest('.cell') : null;
    if (!target || view.rowCount === 0) return;
    if (target.classList.contains('corner')) return selection.growTo('all');
    const unit = unitOf(target);
    if (!unit) return;
    const cell = view.geometry.cellAt(event.clientX, event.clientY);
    // The other button opens the menu of the selection. Outside of the selection it selects first.
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
    distance: () => {
      const { x, y } = view.geometry.distanceOutside(last ?? start, start);
      // Whole rows need no scrolling sideways.
      return { x: selection.unit === 'rows' ? 0 : x, y };
    },
    scrollBy: (x, y) => view.scrollBy(x, y),
    onScrolled: extend,
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
