import type { Shortcut } from '../../ui/shortcut.ts';
import type { GridView } from '../gridView.ts';
import { moveBy } from '../selection/movement.ts';
import type { Selection } from '../selection/selection.ts';

/** What keys do beside moving and selecting. */
export interface GridCommands {
  readonly copy: (headers: boolean) => void;
  readonly find: () => void;
  readonly findNext: (backwards: boolean) => void;
  readonly toggleRecord: () => void;
  readonly openColumnMenu: () => void;
  readonly openCellMenu: () => void;
  readonly widenBy: (steps: number) => void;
  readonly moveColumnBy: (positions: number) => void;
}

export interface GridKeysOptions {
  readonly view: GridView;
  readonly selection: Selection;
  /** How many columns are shown. */
  readonly positions: () => number;
  readonly commands: GridCommands;
}

/** Ctrl on a Mac as well, where Cmd+Space is the system's own. */
export const columnKeys: Shortcut = 'Control+Space';

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Has the grid answer to keys. A key that it takes goes no further, so that VS Code does nothing else with it. */
export function listenToKeys(options: GridKeysOptions): void {
  options.view.root.addEventListener('keydown', event => {
    if (!runCommand(event, options) && !move(event, options)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function move(event: KeyboardEvent, { view, selection, positions }: GridKeysOptions): boolean {
  const extent = { rows: view.rowCount, positions: positions(), page: view.geometry.page };
  const target = moveBy(event, selection.active, extent);
  if (!target) return false;
  if (event.shiftKey) selection.extendTo(target);
  else selection.start(target);
  view.reveal(target);
  return true;
}

function runCommand(event: Keys, { selection, commands }: GridKeysOptions): boolean {
  const run: Readonly<Record<string, () => void>> = {
    'mod a': () => selection.growTo('all'),
    'mod  ': () => selection.growTo('columns'),
    'shift  ': () => selection.growTo('rows'),
    Escape: () => selection.collapse(),
    'mod c': () => commands.copy(false),
    'mod shift c': () => commands.copy(true),
    'mod f': () => commands.find(),
    F3: () => commands.findNext(false),
    'shift F3': () => commands.findNext(true),
    ' ': () => commands.toggleRecord(),
    Enter: () => commands.toggleRecord(),
    'alt ArrowDown': () => commands.openColumnMenu(),
    ContextMenu: () => commands.openCellMenu(),
    'shift F10': () => commands.openCellMenu(),
    'alt ArrowRight': () => commands.widenBy(1),
    'alt ArrowLeft': () => commands.widenBy(-1),
    'alt shift ArrowRight': () => commands.moveColumnBy(1),
    'alt shift ArrowLeft': () => commands.moveColumnBy(-1),
  };
  const name = nameOf(event);
  if (!Object.hasOwn(run, name) || (name === 'Escape' && selection.isOneCell)) return false;
  run[name]?.();
  return true;
}

/** Ctrl and Cmd are the same here, so that one habit does on every machine. */
function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Keys): string {
  const held = [ctrlKey || metaKey ? 'mod' : '', altKey ? 'alt' : '', shiftKey ? 'shift' : ''].filter(Boolean);
  return [...held, key.length === 1 ? key.toLowerCase() : key].join(' ');
}
