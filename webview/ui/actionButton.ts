import { element } from './element.ts';
import './form.css';

/** Looks like a button of VS Code's dialogs. The primary one has the color of the theme. */
export function createActionButton(label: string, onClick: () => void, isPrimary = false): HTMLButtonElement {
  const button = element('button', isPrimary ? 'action primary' : 'action', label);
  button.type = 'button';
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled') !== 'true') onClick();
  });
  return button;
}

/** Disables a button without the attribute `disabled`, which would take the focus from it. */
export function enable(button: HTMLButtonElement, isEnabled: boolean): void {
  button.setAttribute('aria-disabled', String(!isEnabled));
}
