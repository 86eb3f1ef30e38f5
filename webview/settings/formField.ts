import { element, setText } from '../ui/element.ts';
import type { Choice } from '../ui/field.ts';
import { type Control, createChoice, createTextField, describeControl } from '../ui/toolkit.ts';

interface FormFieldOptions {
  readonly label: string;
  readonly help: (typed: string) => string;
  /** Makes the field a choice. */
  readonly choices?: readonly Choice[] | undefined;
  /** The fault of a typed text, '' for a valid one. */
  readonly check: (typed: string) => string;
  readonly onInput: () => void;
}

let lastId = 0;

export class FormField {
  readonly root = element('div', 'field');
  readonly #control: Control;
  readonly #check: (typed: string) => string;
  readonly #helpOf: FormFieldOptions['help'];
  readonly #help = element('p', 'help', { id: `help-${++lastId}` });
  readonly #fault = element('p', 'fault', { role: 'alert' });
  #savedText = '';

  constructor({ label, help, choices, check, onInput }: FormFieldOptions) {
    this.#check = check;
    this.#helpOf = help;
    if (choices) {
      const caption = element('span', 'caption', label);
      caption.id = `caption-${++lastId}`;
      this.#control = createChoice(caption.id, choices);
      this.root.append(caption);
    } else {
      this.#control = createTextField(label);
    }
    this.#control.addEventListener(choices ? 'change' : 'input', () => {
      this.validate();
      onInput();
    });
    this.root.append(this.#control, this.#help, this.#fault);
    this.#describe();
  }

  get typed(): string {
    return this.#control.value;
  }

  set typed(text: string) {
    this.#control.value = text;
    this.validate();
  }

  get isChanged(): boolean {
    return this.typed !== this.#savedText;
  }

  /** Takes the saved text. An unsaved change stays. */
  update(saved: string): void {
    const { isChanged } = this;
    this.#savedText = saved;
    if (!isChanged) this.discard();
  }

  /** Marks a text as saved. Later changes stay unsaved. */
  accept(saved: string): void {
    this.#savedText = saved;
  }

  discard(): void {
    if (this.isChanged) this.#control.value = this.#savedText;
    this.validate();
  }

  /** Shows the help and the fault. Returns whether the text is valid. */
  validate(): boolean {
    this.#describe();
    const fault = this.#check(this.typed);
    setText(this.#fault, fault);
    this.#control.setAttribute('aria-invalid', String(fault !== ''));
    return fault === '';
  }

  focus(): void {
    this.#control.focus();
  }

  #describe(): void {
    const help = this.#helpOf(this.typed);
    setText(this.#help, help);
    describeControl(this.#control, help);
  }
}
