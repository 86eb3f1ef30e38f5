import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { element } from './element.ts';

// The toolkit is archived upstream. All of its uses are in this file, so that it can be replaced.
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

/**
 * Sets the label of a button. `target` names it to a screen reader among several equal buttons. The toolkit passes `aria-label`
 * on to the button in its shadow tree.
 */
export function labelButton(button: HTMLElement, label: string, target?: string): void {
  if (button.textContent !== label) button.textContent = label;
  if (target !== undefined) button.setAttribute('aria-label', `${label} ${target}`);
}

/** An input control of the toolkit. */
export type Control = HTMLElement & { value: string };

/** A field for one line of text, with its label. */
export function createTextField(label: string): Control {
  const field = document.createElement('vscode-text-field') as Control;
  field.textContent = label;
  return field;
}

/** Text that a screen reader says after the label. The input of a text field is in its shadow tree from its first paint on. */
export function describeControl(control: Control, text: string): void {
  const describe = (): void => {
    const target = control.shadowRoot?.querySelector('input') ?? control;
    target.setAttribute('aria-description', text);
  };
  describe();
  control.addEventListener('focusin', describe, { once: true });
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A choice of one of several values. `labelledBy` is the id of the element with its label. */
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
