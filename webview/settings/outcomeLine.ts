import { t } from '@vscode/l10n';
import { remedyLabels } from '../../src/protocol/remedyLabels.ts';
import type { Remedy, TestOutcome } from '../../src/protocol/settings.ts';
import { element } from '../ui/element.ts';
import { focusedElement, focusHere } from '../ui/focus.ts';
import { createButton, labelButton } from '../ui/toolkit.ts';

interface OutcomeLineOptions {
  readonly apply: (remedy: Remedy) => void;
  /** Takes the focus from the button when it goes away. */
  readonly fallbackFocus: HTMLElement;
}

/** The outcome of a connection test, with a button for the remedy if it failed. */
export class OutcomeLine {
  readonly root = element('div', 'outcome');
  readonly #options: OutcomeLineOptions;
  readonly #message = element('p');
  readonly #button: HTMLElement;
  #remedy: Remedy | undefined;

  constructor(options: OutcomeLineOptions) {
    this.#options = options;
    this.#message.setAttribute('role', 'status');
    this.#button = createButton({ label: '', onClick: () => this.#remedy && options.apply(this.#remedy) });
    this.#button.hidden = true;
    this.root.append(this.#message, this.#button);
  }

  /** Shows that the test is running. The button stays, because it may have the focus. */
  showPending(): void {
    this.#showMessage(t('Testing…'), false);
  }

  show({ message, remedy }: TestOutcome, name: string): void {
    this.#showMessage(message, remedy !== undefined);
    this.#remedy = remedy;
    if (!remedy) return this.#hideButton();
    labelButton(this.#button, remedyLabels()[remedy], name);
    this.#button.hidden = false;
  }

  clear(): void {
    this.#showMessage('', false);
    this.#hideButton();
  }

  #showMessage(message: string, isFailure: boolean): void {
    this.#message.textContent = message;
    this.#message.classList.toggle('failure', isFailure);
  }

  #hideButton(): void {
    const hadFocus = focusedElement() === this.#button;
    this.#button.hidden = true;
    if (hadFocus) focusHere(this.#options.fallbackFocus);
  }
}
