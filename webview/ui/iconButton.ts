import { element } from './element.ts';
import './controls.css';

export interface IconButtonOptions {
  readonly label: string;
  /** One character that stands for the label, which is told as a tooltip and to screen readers. */
  readonly sign: string;
  readonly onClick: () => void;
}

export function createIconButton({ label, sign, onClick }: IconButtonOptions): HTMLButtonElement {
  const button = createPlainButton(sign, onClick);
  button.classList.add('icon');
  button.title = label;
  button.setAttribute('aria-label', label);
  return button;
}

/** A small button for the bars around the grid, where the toolkit's would be too high. */
export function createPlainButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = element('button', 'plain', label);
  button.type = 'button';
  button.addEventListener('click', onClick);
  return button;
}
