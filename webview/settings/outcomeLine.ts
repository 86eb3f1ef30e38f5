import type { SettingsLabels } from '../../src/protocol/labels.ts';
import type { Remedy, TestOutcome } from '../../src/protocol/settings.ts';
import { element } from '../ui/element.ts';
import { focusedElement, focusHere } from '../ui/focus.ts';
import { createButton, labelButton } from '../ui/toolkit.ts';

export interface OutcomeLineOptions {
  readonly labels: SettingsLabels;
  readonly mend: (remedy: Remedy) => void;
  /** Where the focus goes when the button that had it is gone. */
  readonly rest: HTMLElement;
}

/** What a project answered to a test, and where it did not, the button that does what helps. */
export class OutcomeLine {
  readonly root = element('div', 'outcome');
  readonly #options: OutcomeLineOptions;
  readonly #sentence = element('p');
  readonly #button: HTMLElement;
  #remedy: Remedy | undefined;

  constructor(options: OutcomeLineOptions) {
    this.#options = options;
    this.#sentence.setAttribute('role', 'status');
    this.#button = createButton({ label: '', onClick: () => this.#remedy && options.mend(this.#remedy) });
    this.#button.hidden = true;
    this.root.append(this.#sentence, this.#button);
  }

  /** Says that the project is being asked. The button stays, since it may be what has the focus. */
  wait(): void {
    this.#say(this.#options.labels.testing, false);
  }

  show({ sentence, remedy }: TestOutcome, name: string): void {
    this.#say(sentence, remedy !== undefined);
    this.#remedy = remedy;
    if (!remedy) return this.#hide();
    labelButton(this.#button, this.#options.labels[`remedy.${remedy}`], name);
    this.#button.hidden = false;
  }

  clear(): void {
    this.#say('', false);
    this.#hide();
  }

  #say(sentence: string, isFault: boolean): void {
    this.#sentence.textContent = sentence;
    this.#sentence.classList.toggle('failure', isFault);
  }

  #hide(): void {
    const loses = focusedElement() === this.#button;
    this.#button.hidden = true;
    if (loses) focusHere(this.#options.rest);
  }
}
