import { element } from './element.ts';
import { openPopup, type Popup, type PopupPlace } from './popup.ts';
import { ariaKeys, menuKeys, type Shortcut } from './shortcut.ts';
import './popup.css';

export interface MenuAction {
  readonly label: string;
  /** The keys with the same effect, shown beside the label. */
  readonly keys?: Shortcut;
  readonly disabled?: boolean;
  /** Set for an action that is on or off. */
  readonly checked?: boolean;
  readonly run: () => void;
}

/** An action, or a line between groups of actions. */
export type MenuItem = MenuAction | 'line';

export interface MenuOptions {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly place: PopupPlace;
  /** Called after the menu has closed and before the chosen action runs. It restores the focus. */
  readonly onClose: () => void;
}

/** An accessible menu: arrow keys and first letters move the focus, Enter and Space choose. */
export function openMenu({ label, items, place, onClose }: MenuOptions): Popup {
  const content = element('div', 'menu');
  content.setAttribute('role', 'menu');
  content.setAttribute('aria-label', label);
  content.append(...items.map(item => (item === 'line' ? createLine() : createAction(item, () => popup.close()))));
  const popup = openPopup({ content, place, onClose });
  const entries = Array.from(content.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])'));
  content.addEventListener('keydown', event => onKey(event, entries, () => popup.close()));
  entries[0]?.focus();
  return popup;
}

function createLine(): HTMLElement {
  const line = element('div', 'menu-line');
  line.setAttribute('role', 'separator');
  return line;
}

function createAction({ label, keys, disabled, checked, run }: MenuAction, close: () => void): HTMLElement {
  const entry = element('div', 'menu-item');
  entry.setAttribute('role', checked === undefined ? 'menuitem' : 'menuitemcheckbox');
  if (checked !== undefined) entry.setAttribute('aria-checked', String(checked));
  if (keys) entry.setAttribute('aria-keyshortcuts', ariaKeys(keys));
  entry.tabIndex = -1;
  entry.append(element('span', 'menu-label', label));
  if (keys) {
    const shown = element('span', 'menu-keys', menuKeys(keys));
    shown.setAttribute('aria-hidden', 'true');
    entry.append(shown);
  }
  if (disabled) {
    entry.setAttribute('aria-disabled', 'true');
    return entry;
  }
  const choose = (): void => {
    close();
    run();
  };
  entry.addEventListener('click', choose);
  entry.addEventListener('pointermove', () => entry.focus());
  entry.addEventListener('keydown', event => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    choose();
  });
  return entry;
}

function onKey(event: KeyboardEvent, entries: readonly HTMLElement[], close: () => void): void {
  const index = entries.findIndex(entry => entry === document.activeElement);
  const { key } = event;
  if (key === 'Tab') close();
  else if (key === 'ArrowDown') entries[(index + 1) % entries.length]?.focus();
  else if (key === 'ArrowUp') entries.at(Math.max(0, index) - 1)?.focus();
  else if (key === 'Home') entries[0]?.focus();
  else if (key === 'End') entries.at(-1)?.focus();
  else if (key.length === 1 && !event.ctrlKey && !event.metaKey) nextStartingWith(key, entries, index)?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function nextStartingWith(letter: string, entries: readonly HTMLElement[], index: number): HTMLElement | undefined {
  const wrapped = [...entries.slice(index + 1), ...entries.slice(0, index + 1)];
  return wrapped.find(({ textContent }) => textContent.toLowerCase().startsWith(letter.toLowerCase()));
}
