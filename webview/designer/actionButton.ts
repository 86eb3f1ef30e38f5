import { element } from '../ui/element.ts';

/** A button as VS Code's dialogs have it. The primary one has the color of the theme. */
export function createActionButton(label: string, onClick: () => void, isPrimary = false): HTMLButtonElement {
  const button = element('button', isPrimary ? 'action primary' : 'action', label);
  button.type = 'button';
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled') !== 'true') onClick();
  });
  return button;
}

/** Disables a button without taking it from the keyboard: an element that is really disabled loses the focus. */
export function enable(button: HTMLButtonElement, isEnabled: boolean): void {
  button.setAttribute('aria-disabled', String(!isEnabled));
}
