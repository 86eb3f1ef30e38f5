import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { element } from './element.ts';
import type { Choice } from './field.ts';

// The toolkit is archived upstream. Only this file uses it, so that it can be replaced.
provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeDropdown(), vsCodeOption(), vsCodeTextField());

interface ButtonOptions {
  readonly label: string;
  readonly appearance?: 'primary' | 'secondary';
  readonly onClick: () => void;
}

export function createButton({ label, appearance = 'secondary', onClick }: ButtonOptions): HTMLElement {
  const button = document.createElement('vscode-button');
  button.setAttribute('appearance', appearance);
  labelButton(button, label);
  button.addEventListener('click', onClick);
  return button;
}

/** `target` distinguishes equal buttons for screen readers. The toolkit passes `aria-label` into the button's shadow tree. */
export function labelButton(button: HTMLElement, label: string, target?: string): void {
  if (button.textContent !== label) button.textContent = label;
  if (target !== undefined) button.setAttribute('aria-label', `${label} ${target}`);
}

export type Control = HTMLElement & { value: string };

export function createTextField(label: string): Control {
  const field = document.createElement('vscode-text-field') as Control;
  field.textContent = label;
  return field;
}

/** Sets the text that a screen reader says after the label. The input is in a shadow tree, which exists from the first paint on. */
export function describeControl(control: Control, text: string): void {
  const describe = (): void => {
    const target = control.shadowRoot?.querySelector('input') ?? control;
    target.setAttribute('aria-description', text);
  };
  describe();
  control.addEventListener('focusin', describe, { once: true });
}

/** `labelledBy` is the id of the element with the label. */
export function createChoice(labelledBy: string, choices: readonly Choice[]): Control {
  const dropdown = document.createElement('vscode-dropdown') as Control;
  dropdown.setAttribute('aria-labelledby', labelledBy);
  for (const { value, label } of choices) {
    const option = element('vscode-option' as 'option', '', label);
    option.setAttribute('value', value);
    dropdown.append(option);
  }
  return dropdown;
}
