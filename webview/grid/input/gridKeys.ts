import { type Shortcut, typesCharacter, takeKey } from '../../ui/keys.ts';
import type { EditCommands } from '../editing/editCommands.ts';
import type { GridView } from '../gridView.ts';
import { moveBy, type Selection } from '../selection/selection.ts';

/** As in VS Code's editors. */
export const goToRowKeys: Shortcut = 'Control+G';

export const followKeys: Shortcut = 'Mod+Enter';
export const referencingKeys: Shortcut = 'Mod+Shift+Enter';

/** The commands that keys run. The grid itself moves and selects. */
interface GridCommands {
  readonly copy: (headers: boolean) => void;
  readonly find: () => void;
  /** Keeps the rows with a text in any column. */
  readonly search: () => void;
  readonly goToRow: () => void;
  readonly findNext: (backwards: boolean) => void;
  readonly toggleRecord: () => void;
  /** Goes to the statement of a line in a script log, and shows other rows as records. */
  readonly open: () => unknown;
  /** Goes to the row that a foreign key refers to, or to the error of a line in a script log. */
  readonly follow: () => void;
  /** Shows the rows of other tables that refer to the active row. */
  readonly showReferencing: () => void;
  readonly openColumnMenu: () => void;
  readonly openCellMenu: () => void;
  readonly widenBy: (steps: number) => void;
  readonly moveColumnBy: (positions: number) => void;
  /** Edits cells, where the rows are those of a table. */
  readonly edits: EditCommands;
}

interface GridKeysOptions {
  readonly view: GridView;
  readonly selection: Selection;
  /** The number of shown columns. */
  readonly columnCount: () => number;
  readonly commands: GridCommands;
}

/** These do something with what the rows show. */
const keysThatNeedRows = new Set(['Escape', 'mod c', 'mod shift c', 'mod Enter', 'mod shift Enter', 'F8', 'shift F8']);

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Makes the grid answer to keys. A key that it handles goes no further, so that VS Code ignores it. */
export function listenToKeys(options: GridKeysOptions): void {
  options.view.root.addEventListener('keydown', event => {
    // A field in the grid has keys of its own, and leaves the others to VS Code.
    if (event.target instanceof HTMLInputElement) return;
    if (isOwn(event, options) && options.commands.edits.hold(event, keysThatNeedRows.has(keysOf(event)))) {
      return takeKey(event);
    }
    const isHandled =
      runCommand(event, options) || runEdit(event, options.commands.edits) || moveActiveCell(event, options);
    if (!isHandled) return;
    takeKey(event);
  });
}

function moveActiveCell(event: KeyboardEvent, { view, selection, columnCount }: GridKeysOptions): boolean {
  const extent = { rows: view.rowCount, positions: columnCount(), pageRows: view.geometry.pageRows };
  const target = moveBy(event, selection.active, extent);
  if (!target) return false;
  if (event.shiftKey) selection.extendTo(target);
  else selection.start(target);
  view.reveal(target);
  return true;
}

/** Whether a key is of the grid or of a field. VS Code has the others, and the browser pastes by itself. */
function isOwn(event: Keys, options: GridKeysOptions): boolean {
  const keys = keysOf(event);
  if (!/^(?:mod|F\d)/.test(keys) || / (?:Arrow\w+|Home|End|s)$/.test(keys)) return true;
  return Object.hasOwn(commandsOf(options), keys) || Object.hasOwn(editsOf(options.commands.edits), keys);
}

type KeyCommands = Readonly<Record<string, () => void>>;

function commandsOf({ selection, commands }: GridKeysOptions): KeyCommands {
  return {
    'mod a': () => selection.growTo('all'),
    'mod  ': () => selection.growTo('columns'),
    'shift  ': () => selection.growTo('rows'),
    Escape: () => selection.collapse(),
    'mod c': () => commands.copy(false),
    'mod shift c': () => commands.copy(true),
    'mod f': () => commands.find(),
    'mod shift f': () => commands.search(),
    'mod g': () => commands.goToRow(),
    F3: () => commands.findNext(false),
    'shift F3': () => commands.findNext(true),
    ' ': () => commands.toggleRecord(),
    Enter: () => commands.open(),
    'mod Enter': () => commands.follow(),
    'mod shift Enter': () => commands.showReferencing(),
    'alt ArrowDown': () => commands.openColumnMenu(),
    ContextMenu: () => commands.openCellMenu(),
    'shift F10': () => commands.openCellMenu(),
    '+': () => commands.widenBy(1),
    'shift +': () => commands.widenBy(1),
    '-': () => commands.widenBy(-1),
    'alt shift ArrowRight': () => commands.moveColumnBy(1),
    'alt shift ArrowLeft': () => commands.moveColumnBy(-1),
  };
}

function runCommand(event: Keys, options: GridKeysOptions): boolean {
  const commandOf = commandsOf(options);
  const keys = keysOf(event);
  if (!Object.hasOwn(commandOf, keys) || (keys === 'Escape' && options.selection.isOneCell)) return false;
  commandOf[keys]?.();
  return true;
}

function editsOf(edits: EditCommands): KeyCommands {
  return {
    F2: () => void edits.edit(),
    F4: () => edits.pickReference(),
    Delete: () => edits.setNull(),
    Backspace: () => edits.setEmpty(),
    'shift Delete': () => edits.setDefault(),
    Insert: () => edits.addRow(),
    'mod d': () => edits.fillDown(),
    'mod shift d': () => edits.duplicateRows(),
    'mod Delete': () => edits.deleteRows(),
    'mod o': () => edits.loadFile(),
    'mod z': () => edits.undo(false),
    'mod y': () => edits.undo(true),
    'mod shift z': () => edits.undo(true),
    F8: () => edits.goToProblem(false),
    'shift F8': () => edits.goToProblem(true),
  };
}

/** Edits the selection. A letter or digit begins to replace the active cell's value. */
function runEdit(event: KeyboardEvent, edits: EditCommands): boolean {
  if (!edits.isOffered) return false;
  const commandOf = editsOf(edits);
  const keys = keysOf(event);
  if (keys === 'Escape') return edits.revertText();
  // VS Code would save before the host has the edits.
  if (keys === 'mod s' && (edits.hasPending || !event.isTrusted)) {
    edits.save();
    return true;
  }
  if (Object.hasOwn(commandOf, keys)) {
    commandOf[keys]?.();
    return true;
  }
  if (!typesCharacter(event) || !edits.isEditable) return false;
  void edits.edit(event.key);
  return true;
}

/** The pressed keys by name. Ctrl and Cmd are the same, so that one habit works on every machine. */
function keysOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Keys): string {
  const modifiers = [ctrlKey || metaKey ? 'mod' : '', altKey ? 'alt' : '', shiftKey ? 'shift' : ''].filter(Boolean);
  return [...modifiers, key.length === 1 ? key.toLowerCase() : key].join(' ');
}
