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
  button.textContent = label;
  button.addEventListener('click', onClick);
  return button;
}
