import { element } from './element.ts';
import { ariaKeys, keyWords, type Shortcut } from './keys.ts';
import './controls.css';

interface IconButtonOptions {
  /** The tooltip and the accessible name. */
  readonly label: string;
  /** The character or the drawn icon on the button. */
  readonly sign: string | SVGElement;
  readonly keys?: Shortcut;
  readonly onClick: () => void;
}

export function createIconButton({ label, sign, keys, onClick }: IconButtonOptions): HTMLButtonElement {
  const button = createPlainButton('', onClick);
  button.classList.add('icon');
  button.append(sign);
  button.title = label;
  button.setAttribute('aria-label', label);
  if (keys !== undefined) showKeys(button, label, keys);
  return button;
}

/** Shows the keys for the same action in the tooltip of a button, and tells them to screen readers. */
export function showKeys(button: HTMLButtonElement, label: string, keys: Shortcut): void {
  button.title = `${label} (${keyWords(keys)})`;
  button.setAttribute('aria-keyshortcuts', ariaKeys(keys));
}

/** A small button for the bars around the grid, where buttons of the toolkit are too tall. */
export function createPlainButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = element('button', 'plain', label);
  button.type = 'button';
  button.addEventListener('click', onClick);
  return button;
}
