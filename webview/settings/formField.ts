import { type Choice, ChoiceField, TextField } from '../ui/field.ts';

interface FormFieldOptions {
  readonly label: string;
  readonly help: (typed: string) => string;
  /** Makes the field a choice. */
  readonly choices?: readonly Choice[] | undefined;
  /** The fault of a typed text, '' for a valid one. */
  readonly check: (typed: string) => string;
  readonly onInput: () => void;
}

/** A field with the saved text of a setting, and perhaps another one that is not saved yet. */
export class FormField {
  readonly #options: FormFieldOptions;
  readonly #field: TextField | ChoiceField;
  #savedText = '';

  constructor(options: FormFieldOptions) {
    this.#options = options;
    const { label, help, choices } = options;
    const common = { label, help: help('') };
    const onInput = (): void => {
      this.validate();
      options.onInput();
    };
    this.#field = choices ? new ChoiceField({ ...common, onChange: onInput }) : new TextField({ ...common, onInput });
  }

  get root(): HTMLElement {
    return this.#field.root;
  }

  get typed(): string {
    return this.#field.control.value;
  }

  set typed(text: string) {
    if (this.#field instanceof ChoiceField) this.#field.show(this.#options.choices ?? [], text);
    else this.#field.value = text;
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
    this.typed = this.#savedText;
  }

  /** Shows the help and the fault. Returns whether the text is valid. */
  validate(): boolean {
    const { help, check } = this.#options;
    const fault = check(this.typed);
    this.#field.help = help(this.typed);
    this.#field.fault = fault;
    return fault === '';
  }

  focus(): void {
    this.#field.control.focus();
  }
}
