import { element } from './element.ts';
import { openPopup, type Popup, type PopupPlace } from './popup.ts';
import { ariaKeys, menuKeys, type Shortcut } from './shortcut.ts';
import './popup.css';

export interface MenuAction {
  readonly label: string;
  /** The keys that do the same, to be shown beside it. */
  readonly keys?: Shortcut;
  readonly disabled?: boolean;
  /** For an action that is on or off. */
  readonly checked?: boolean;
  readonly run: () => void;
}

/** Actions, and lines between groups of them. */
export type MenuItem = MenuAction | 'line';

export interface MenuOptions {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly place: PopupPlace;
  /** Called when the menu is gone and before the action that was chosen runs: gives the focus back. */
  readonly onClose: () => void;
}

/** A menu as a screen reader knows them: arrows and first letters go through it, Enter and Space choose. */
export function openMenu({ label, items, place, onClose }: MenuOptions): Popup {
  const content = element('div', 'menu');
  content.setAttribute('role', 'menu');
  content.setAttribute('aria-label', label);
  content.append(...items.map(item => (item === 'line' ? makeLine() : makeAction(item, () => popup.close()))));
  const popup = openPopup({ content, place, onClose });
  const entries = Array.from(content.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])'));
  content.addEventListener('keydown', event => onKey(event, entries, () => popup.close()));
  entries[0]?.focus();
  return popup;
}

function makeLine(): HTMLElement {
  const line = element('div', 'menu-line');
  line.setAttribute('role', 'separator');
  return line;
}

function makeAction({ label, keys, disabled, checked, run }: MenuAction, close: () => void): HTMLElement {
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
  const at = entries.findIndex(entry => entry === document.activeElement);
  const { key } = event;
  if (key === 'Tab') close();
  else if (key === 'ArrowDown') entries[(at + 1) % entries.length]?.focus();
  else if (key === 'ArrowUp') entries.at(Math.max(0, at) - 1)?.focus();
  else if (key === 'Home') entries[0]?.focus();
  else if (key === 'End') entries.at(-1)?.focus();
  else if (key.length === 1 && !event.ctrlKey && !event.metaKey) startingWith(key, entries, at)?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function startingWith(letter: string, entries: readonly HTMLElement[], at: number): HTMLElement | undefined {
  const wrapped = [...entries.slice(at + 1), ...entries.slice(0, at + 1)];
  return wrapped.find(({ textContent }) => textContent.toLowerCase().startsWith(letter.toLowerCase()));
}
