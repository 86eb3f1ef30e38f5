/** A key with its modifiers, such as `Mod+Shift+C`. `Mod` is Ctrl, or Cmd on a Mac. */
export type Shortcut = string;

type PressedKeys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Asks the browser: the extension may run on another machine. */
const isMac = (): boolean => navigator.userAgent.includes('Macintosh');

/** Menus of a Mac show modifiers as signs. */
const signs: Readonly<Record<string, string>> = { Control: '⌃', Alt: '⌥', Shift: '⇧', Mod: '⌘' };
const macWords: Readonly<Record<string, string>> = { Alt: 'Option', Mod: 'Cmd' };
const words: Readonly<Record<string, string>> = { Control: 'Ctrl', Mod: 'Ctrl' };
const arrows: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', ArrowDown: '↓', ArrowUp: '↑' };

export function menuKeys(shortcut: Shortcut): string {
  const keys = shortcut.split('+').map(key => arrows[key] ?? key);
  if (!isMac()) return keys.map(key => words[key] ?? key).join('+');
  const modifiers = Object.keys(signs).filter(key => keys.includes(key));
  return [...modifiers.map(key => signs[key]), ...keys.filter(key => !Object.hasOwn(signs, key))].join('');
}

/** The names of keys for a sentence. */
export function keyWords(shortcut: Shortcut): string {
  const names = isMac() ? macWords : words;
  return shortcut
    .split('+')
    .map(key => names[key] ?? key.replace(/^Arrow/, ''))
    .join('+');
}

/** The pressed keys, with their modifiers in this order. Ctrl and Cmd are the same, so that one habit works on every machine. */
export function shortcutOf({ key, ctrlKey, metaKey, altKey, shiftKey }: PressedKeys): Shortcut {
  const modifiers = [ctrlKey || metaKey ? 'Mod' : '', altKey ? 'Alt' : '', shiftKey ? 'Shift' : ''].filter(Boolean);
  const name = key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key;
  return [...modifiers, name].join('+');
}

/** Whether a key types a character. Some keyboards need AltGr or Option for one. */
export function typesCharacter(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (Array.from(key).length !== 1 || metaKey) return false;
  return (!ctrlKey && (!altKey || isMac())) || event.getModifierState('AltGraph');
}

/** For the attribute `aria-keyshortcuts`. */
export const ariaKeys = (shortcut: Shortcut): string => shortcut.replace('Mod', isMac() ? 'Meta' : 'Control');

/** Keeps a key that the page handles from the browser, the elements around, and VS Code. */
export function takeKey(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
  // VS Code focuses its menu when Alt is released, unless another key comes before. It has no action for this one.
  if (event.altKey) window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Unidentified', altKey: true }));
}

/** Undo and redo keys in a field are for the typing. VS Code listens at the window, and would undo an edit of the document. */
export function keepTypedUndo(): void {
  document.addEventListener('keydown', event => {
    const { key, ctrlKey, metaKey } = event;
    // A text field of the toolkit has its input in a shadow tree.
    const [target] = event.composedPath();
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isField && (ctrlKey || metaKey) && /^[zy]$/i.test(key)) event.stopPropagation();
  });
}
