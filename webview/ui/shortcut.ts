/**
 * Keys as sentences of the code name them: those that are held, and the one that is pressed, by a `+`. `Mod` is Ctrl, and Cmd on a
 * Mac.
 */
export type Shortcut = string;

/** Where the page is looked at, which may be another machine than the one that the extension runs on. */
const isMac = (): boolean => navigator.userAgent.includes('Macintosh');

/** By their names on a keyboard: in menus of a Mac, those that are held are signs. */
const signs: Readonly<Record<string, string>> = { Control: '⌃', Alt: '⌥', Shift: '⇧', Mod: '⌘' };
const macWords: Readonly<Record<string, string>> = { Alt: 'Option', Mod: 'Cmd' };
const words: Readonly<Record<string, string>> = { Control: 'Ctrl', Mod: 'Ctrl' };
const arrows: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', ArrowDown: '↓', ArrowUp: '↑' };

/** As a menu shows them, beside what they do. */
export function menuKeys(shortcut: Shortcut): string {
  const keys = shortcut.split('+').map(key => arrows[key] ?? key);
  if (!isMac()) return keys.map(key => words[key] ?? key).join('+');
  const held = Object.keys(signs).filter(key => keys.includes(key));
  return [...held.map(key => signs[key]), ...keys.filter(key => !Object.hasOwn(signs, key))].join('');
}

/** As a sentence tells of them. */
export function keyWords(shortcut: Shortcut): string {
  const named = isMac() ? macWords : words;
  return shortcut
    .split('+')
    .map(key => named[key] ?? key.replace(/^Arrow/, ''))
    .join('+');
}

/** As `aria-keyshortcuts` takes them. */
export const ariaKeys = (shortcut: Shortcut): string => shortcut.replace('Mod', isMac() ? 'Meta' : 'Control');
