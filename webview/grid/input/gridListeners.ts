import type { ColumnLayout } from '../columnLayout.ts';
import type { ColumnCommands } from '../columns/columnCommands.ts';
import type { EditCommands } from '../editing/editCommands.ts';
import type { FindBar } from '../find/findBar.ts';
import type { GridView } from '../gridView.ts';
import type { RecordView } from '../record/recordView.ts';
import { selectByPointer } from '../selection/pointerSelection.ts';
import type { Selection } from '../selection/selection.ts';
import type { CellCommands } from './cellCommands.ts';
import { listenToContextMenu, placeOfActiveCell, placeOfActiveHeader } from './contextMenu.ts';
import { listenToKeys } from './gridKeys.ts';

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
