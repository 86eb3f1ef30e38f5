import { element } from './element.ts';
import { createIconButton } from './iconButton.ts';
import { openPopup, placeBelow, type PopupPlace } from './popup.ts';
import { ariaKeys, menuKeys, type Shortcut, takeKey } from './keys.ts';
import './popup.css';

interface MenuAction {
  readonly label: string;
  /** The keys for the same action. */
  readonly keys?: Shortcut | undefined;
  readonly disabled?: boolean;
  /** Set for an action that is on or off. */
  readonly checked?: boolean;
  readonly run: () => unknown;
}

interface MenuGroup {
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** 'line' separates entries. */
export type MenuItem = MenuAction | MenuGroup | 'line';

interface MenuOptions {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly place: PopupPlace;
  /** Called before the chosen action runs. Restores the focus. */
  readonly onClose: () => void;
}

/** A button that opens a menu below itself. */
export function createMenuButton(label: string, sign: SVGElement, items: () => readonly MenuItem[]): HTMLButtonElement {
  const open = (): void => {
    const place = placeBelow(button);
    openMenu({ label: button.ariaLabel ?? label, items: items(), place, onClose: () => button.focus() });
  };
  const button = createIconButton({ label, sign, onClick: open });
  button.setAttribute('aria-haspopup', 'menu');
  return button;
}

/** Arrow keys and first letters move the focus, Enter and Space choose. Right opens a group, and left closes it. */
export function openMenu({ label, items, place, onClose }: MenuOptions): void {
  const menu = new Menu(label, items, () => popup.close());
  const popup = openPopup({ content: menu.root, place, onClose });
  menu.focusFirst();
}

class Menu {
  readonly root = element('div', 'menu', { role: 'menu' });
  readonly #entries: HTMLElement[] = [];
  readonly #close: () => void;
  #openGroup: { readonly entry: HTMLElement; readonly menu: Menu } | undefined;

  constructor(label: string, items: readonly MenuItem[], close: () => void) {
    this.#close = close;
    this.root.setAttribute('aria-label', label);
    this.root.append(...items.map(item => this.#createItem(item)));
    this.root.addEventListener('keydown', event => this.#onKey(event));
  }

  focusFirst(): void {
    this.#entries[0]?.focus();
  }

  #createItem(item: MenuItem): HTMLElement {
    if (item === 'line') return element('div', 'menu-line', { role: 'separator' });
    const entry = element('div', 'menu-item', { tabindex: '-1' });
    entry.append(element('span', 'menu-label', item.label));
    if ('items' in item) this.#prepareGroup(entry, item);
    else this.#prepareAction(entry, item);
    return entry;
  }

  #prepareAction(entry: HTMLElement, { keys, disabled, checked, run }: MenuAction): void {
    entry.setAttribute('role', checked === undefined ? 'menuitem' : 'menuitemcheckbox');
    if (checked !== undefined) entry.setAttribute('aria-checked', String(checked));
    if (keys) {
      entry.setAttribute('aria-keyshortcuts', ariaKeys(keys));
      const shown = element('span', '', menuKeys(keys));
      shown.setAttribute('aria-hidden', 'true');
      entry.append(shown);
    }
    if (disabled) {
      entry.setAttribute('aria-disabled', 'true');
      return;
    }
    this.#addEntry(entry, () => {
      this.#close();
      run();
    });
    entry.addEventListener('pointermove', () => {
      this.#closeGroup();
      entry.focus();
    });
  }

  #prepareGroup(entry: HTMLElement, group: MenuGroup): void {
    entry.setAttribute('role', 'menuitem');
    entry.setAttribute('aria-haspopup', 'menu');
    entry.setAttribute('aria-expanded', 'false');
    entry.append(element('span', 'menu-arrow'));
    const open = (): void => this.#open(entry, group);
    const enter = (): void => {
      open();
      this.#openGroup?.menu.focusFirst();
    };
    this.#addEntry(entry, enter);
    entry.addEventListener('pointermove', () => {
      if (this.#openGroup?.entry === entry) return;
      entry.focus();
      open();
    });
    entry.addEventListener('keydown', event => {
      if (event.key !== 'ArrowRight') return;
      takeKey(event);
      enter();
    });
  }

  #addEntry(entry: HTMLElement, choose: () => void): void {
    this.#entries.push(entry);
    entry.addEventListener('click', choose);
    entry.addEventListener('keydown', event => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      takeKey(event);
      choose();
    });
  }

  #open(entry: HTMLElement, { label, items }: MenuGroup): void {
    if (this.#openGroup?.entry === entry) return;
    this.#closeGroup();
    const menu = new Menu(label, items, this.#close);
    this.#openGroup = { entry, menu };
    entry.setAttribute('aria-expanded', 'true');
    menu.root.classList.add('popup');
    // Within the menu: a click elsewhere closes the menu.
    this.root.append(menu.root);
    placeBeside(menu.root, entry);
    menu.root.addEventListener('keydown', event => {
      if (event.key !== 'ArrowLeft' && event.key !== 'Escape') return;
      takeKey(event);
      this.#closeGroup();
      entry.focus();
    });
  }

  #closeGroup(): void {
    const group = this.#openGroup;
    this.#openGroup = undefined;
    group?.entry.setAttribute('aria-expanded', 'false');
    group?.menu.root.remove();
  }

  #onKey(event: KeyboardEvent): void {
    const entries = this.#entries;
    const index = entries.findIndex(entry => entry === document.activeElement);
    const { key } = event;
    if (key === 'Tab') this.#close();
    else if (key === 'ArrowDown') this.#focus(entries[(index + 1) % entries.length]);
    else if (key === 'ArrowUp') this.#focus(entries.at(Math.max(0, index) - 1));
    else if (key === 'Home') this.#focus(entries[0]);
    else if (key === 'End') this.#focus(entries.at(-1));
    else if (key.length === 1 && !event.ctrlKey && !event.metaKey) this.#focus(nextStartingWith(key, entries, index));
    else return;
    takeKey(event);
  }

  #focus(entry: HTMLElement | undefined): void {
    if (!entry) return;
    this.#closeGroup();
    entry.focus();
  }
}

/** Places a group's menu to the right of its entry, or to the left without room. */
function placeBeside(menu: HTMLElement, entry: HTMLElement): void {
  const { left, right, top } = entry.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const fitsRight = right + width <= clientWidth;
  const x = fitsRight || left < width ? Math.min(right, clientWidth - width) : left - width;
  // The first entry is beside the group's entry.
  menu.style.left = `${Math.max(0, x)}px`;
  menu.style.top = `${Math.max(0, Math.min(top - menuPadding, clientHeight - height))}px`;
}

const menuPadding = 5;

function nextStartingWith(letter: string, entries: readonly HTMLElement[], index: number): HTMLElement | undefined {
  const wrapped = [...entries.slice(index + 1), ...entries.slice(0, index + 1)];
  return wrapped.find(entry => labelOf(entry).toLowerCase().startsWith(letter.toLowerCase()));
}

const labelOf = (entry: HTMLElement): string => entry.querySelector('.menu-label')?.textContent ?? '';
