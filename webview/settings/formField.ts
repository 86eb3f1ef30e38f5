import { element } from '../ui/element.ts';
import { type Choice, type Control, createChoice, createTextField } from '../ui/toolkit.ts';

export interface FormFieldOptions {
  readonly label: string;
  /** Makes it a choice of one of these, instead of a text. */
  readonly choices?: readonly Choice[] | undefined;
  /** What is wrong with a typed text, in words; '' for nothing. */
  readonly check: (typed: string) => string;
  readonly onInput: () => void;
}

let lastId = 0;

/** One field of a form: its control, and below it what is wrong with what was typed. */
export class FormField {
  readonly root = element('div', 'field');
  readonly #control: Control;
  readonly #check: (typed: string) => string;
  readonly #fault = element('p', 'fault');
  #saved = '';

  constructor({ label, choices, check, onInput }: FormFieldOptions) {
    this.#check = check;
    this.#fault.setAttribute('role', 'alert');
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
    this.root.append(this.#control, this.#fault);
  }

  get typed(): string {
    return this.#control.value;
  }

  /** Whether it was changed and the change is not saved. */
  get isChanged(): boolean {
    return this.typed !== this.#saved;
  }

  /** Takes what is saved. What was typed over it stays typed. */
  update(saved: string): void {
    const keep = this.isChanged;
    this.#saved = saved;
    if (!keep) this.discard();
  }

  /** This is saved now. What was typed since then is not. */
  accept(saved: string): void {
    this.#saved = saved;
  }

  discard(): void {
    if (this.isChanged) this.#control.value = this.#saved;
    this.validate();
  }

  /** Says what is wrong; true when nothing is. */
  validate(): boolean {
    const fault = this.#check(this.typed);
    if (this.#fault.textContent !== fault) this.#fault.textContent = fault;
    this.#control.setAttribute('aria-invalid', String(fault !== ''));
    return fault === '';
  }

  focus(): void {
    this.#control.focus();
  }
}
