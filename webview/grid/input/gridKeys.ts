import { placeBelow, type PopupPlace } from '../../ui/popup.ts';
import { type Shortcut, shortcutOf, takeKey, typesCharacter } from '../../ui/keys.ts';
import type { ColumnCommands } from '../columns/columnCommands.ts';
import {
  defaultValue,
  type EditCommands,
  emptyText,
  nextProblemKeys,
  nullValue,
  previousProblemKeys,
} from '../editing/editCommands.ts';
import type { FindBar } from '../find/findBar.ts';
import type { GridParts, GridView } from '../gridView.ts';
import type { RecordView } from '../record/recordView.ts';
import { activeCellId } from '../rows/gridRow.ts';
import { cellBeside, moveBy } from '../selection/selection.ts';
import type { CellCommands } from './cellCommands.ts';

/** As Go to Line in VS Code's editors. */
export const goToRowKeys: Shortcut = 'Control+G';

/** Information on the columns. */
const profileKeys: Shortcut = 'Mod+I';

export const chartKeys: Shortcut = 'Alt+C';

export const followKeys: Shortcut = 'Mod+Enter';
export const showReferencingKeys: Shortcut = 'Mod+Shift+Enter';

/** The parts of a grid that answer to the pointer, to keys and to the context menu. */
export interface GridInputs extends Pick<GridParts, 'view' | 'selection' | 'layout'> {
  readonly columns: ColumnCommands;
  readonly cells: CellCommands;
  readonly edits: EditCommands;
  readonly find: FindBar;
  readonly record: RecordView;
  /** Filters the rows by a text in any column. */
  readonly search: () => void;
  readonly toggleProfile: () => void;
  /** Edits the active cell, or shows its row as a record. */
  readonly open: () => unknown;
  readonly goToRow: () => void;
  readonly switchChart: () => void;
}

/** The effects of these keys depend on the shown rows. */
const keysThatNeedRows: ReadonlySet<Shortcut> = new Set([
  'Escape',
  'Mod+C',
  'Mod+Shift+C',
  followKeys,
  showReferencingKeys,
  nextProblemKeys,
  previousProblemKeys,
]);

/** Makes the grid answer to keys. VS Code does not see a key that the grid handles. */
export function listenToKeys(inputs: GridInputs): void {
  const { view, edits } = inputs;
  view.root.addEventListener('keydown', event => {
    // A field in the grid has its own keys. VS Code gets the others.
    if (event.target instanceof HTMLInputElement) return;
    const keys = shortcutOf(event);
    if (isOwn(keys, inputs) && edits.hold(event, keysThatNeedRows.has(keys))) return takeKey(event);
    if (runCommand(keys, inputs) || runEdit(event, keys, edits) || moveActiveCell(event, inputs)) takeKey(event);
  });
}

function moveActiveCell(event: KeyboardEvent, { view, selection, layout, edits }: GridInputs): boolean {
  const extent = { rows: view.rowCount, positions: layout.shown.length, pageRows: view.geometry.pageRows };
  // In a table that can be edited, Tab goes to the next cell. From the last one, it leaves the grid.
  const isTab = edits.movesByTab && !event.ctrlKey && !event.altKey && event.key === 'Tab';
  const target = isTab ? cellBeside(selection.active, event.shiftKey, extent) : moveBy(event, selection.active, extent);
  if (!target) return false;
  if (event.shiftKey && !isTab) selection.extendTo(target);
  else selection.start(target);
  view.reveal(target);
  return true;
}

/** Whether a key is for the grid or for a field. Others are for VS Code, and the browser itself pastes. */
function isOwn(keys: Shortcut, inputs: GridInputs): boolean {
  if (keys === 'Tab' || keys === 'Shift+Tab') return inputs.edits.movesByTab;
  if (!/^(?:Mod|F\d)/.test(keys) || /\+(?:Arrow\w+|Home|End|S)$/.test(keys)) return true;
  return Object.hasOwn(commandsOf(inputs), keys) || Object.hasOwn(editsOf(inputs.edits), keys);
}

type KeyCommands = Readonly<Record<Shortcut, () => unknown>>;

function commandsOf(inputs: GridInputs): KeyCommands {
  const { view, selection, columns, cells, find, record, search, toggleProfile, open, goToRow, switchChart } = inputs;
  return {
    'Mod+A': () => selection.growTo('all'),
    'Mod+Space': () => selection.growTo('columns'),
    'Shift+Space': () => selection.growTo('rows'),
    Escape: () => selection.start(selection.active),
    'Mod+C': () => cells.copy('tsv', false),
    'Mod+Shift+C': () => cells.copy('tsv', true),
    'Mod+F': () => find.open(),
    'Mod+Shift+F': search,
    [profileKeys]: toggleProfile,
    'Mod+G': goToRow,
    [chartKeys]: switchChart,
    F3: () => find.next(false),
    'Shift+F3': () => find.next(true),
    Space: () => record.toggle(),
    Enter: open,
    [followKeys]: () => cells.follow(),
    [showReferencingKeys]: () => cells.showReferencing(),
    'Alt+ArrowDown': () => columns.openMenu(placeOfActiveHeader(view)),
    ContextMenu: () => cells.openMenu(placeOfActiveCell(view)),
    'Shift+F10': () => cells.openMenu(placeOfActiveCell(view)),
    '+': () => columns.widenBy(1),
    'Shift++': () => columns.widenBy(1),
    '-': () => columns.widenBy(-1),
    'Alt+Shift+ArrowRight': () => columns.moveBy(1),
    'Alt+Shift+ArrowLeft': () => columns.moveBy(-1),
  };
}

function runCommand(keys: Shortcut, inputs: GridInputs): boolean {
  const commands = commandsOf(inputs);
  if (!Object.hasOwn(commands, keys) || (keys === 'Escape' && inputs.selection.isOneCell)) return false;
  commands[keys]?.();
  return true;
}

function editsOf(edits: EditCommands): KeyCommands {
  return {
    F2: () => edits.edit(),
    F4: () => edits.pickReference(),
    Delete: () => edits.setCells(nullValue),
    Backspace: () => edits.setCells(emptyText),
    'Shift+Delete': () => edits.setCells(defaultValue),
    Insert: () => edits.addRow(),
    'Mod+D': () => edits.fillDown(),
    'Mod+Shift+D': () => edits.duplicateRows(),
    'Mod+Delete': () => edits.deleteRows(),
    'Mod+O': () => edits.loadFile(),
    'Mod+Z': () => edits.undo(false),
    'Mod+Y': () => edits.undo(true),
    'Mod+Shift+Z': () => edits.undo(true),
    [nextProblemKeys]: () => edits.goToProblem(false),
    [previousProblemKeys]: () => edits.goToProblem(true),
    'Mod+M': () => edits.switchTab(),
  };
}

/** Edits the selection. A typed character replaces the active cell's value. */
function runEdit(event: KeyboardEvent, keys: Shortcut, edits: EditCommands): boolean {
  if (!edits.isOffered) return false;
  const commands = editsOf(edits);
  if (keys === 'Escape') return edits.revertText();
  // VS Code would save before the host has the edits.
  if (keys === 'Mod+S' && (edits.hasPending || !event.isTrusted)) {
    edits.save();
    return true;
  }
  if (Object.hasOwn(commands, keys)) {
    commands[keys]?.();
    return true;
  }
  if (!typesCharacter(event) || !edits.isEditable) return false;
  void edits.edit(event.key);
  return true;
}

/** The place below the active cell, for a menu that a key opens. Paints first, since a key may just have moved the cell. */
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
