import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit';

// The toolkit is archived upstream. It is registered here and nowhere else, so that it can be replaced in one place.
provideVSCodeDesignSystem().register(vsCodeButton());

export interface ButtonOptions {
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
 * Says what a button does, and to a screen reader also to what, where several buttons do the same. The toolkit hands
 * `aria-label` on to the button in its shadow tree.
 */
export function labelButton(button: HTMLElement, label: string, target?: string): void {
  if (button.textContent !== label) button.textContent = label;
  if (target !== undefined) button.setAttribute('aria-label', `${label} ${target}`);
}
