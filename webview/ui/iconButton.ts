import { element } from './element.ts';
import './controls.css';

interface IconButtonOptions {
  /** The tooltip and the accessible name. */
  readonly label: string;
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

interface PictureButtonOptions {
  readonly label: string;
  readonly picture: SVGElement;
  readonly onClick: () => void;
}

export function createPictureButton({ label, picture, onClick }: PictureButtonOptions): HTMLButtonElement {
  const button = createIconButton({ label, sign: '', onClick });
  button.append(picture);
  return button;
}

/** A small button for the bars around the grid, where buttons of the toolkit are too tall. */
export function createPlainButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = element('button', 'plain', label);
  button.type = 'button';
  button.addEventListener('click', onClick);
  return button;
}
