import { element, setAttribute, setText } from './element.ts';
import './controls.css';
import './form.css';

type FieldControl = HTMLInputElement | HTMLSelectElement;

let lastId = 0;
const fields = new WeakMap<HTMLElement, Field>();

export function fieldsIn(part: HTMLElement): Field[] {
  const roots = [...part.querySelectorAll<HTMLElement>('.form-field')];
  return roots.map(root => fields.get(root)).filter(field => field !== undefined);
}

interface FieldOptions {
  /** Without it, only screen readers get a label, which is set later. */
  readonly label?: string;
  /** The place by which a fault finds the field, such as `columns/column1/name`. */
  readonly place?: string;
  readonly help?: string;
}

class Field<C extends FieldControl = FieldControl> {
  readonly root = element('div', 'form-field');
  readonly control: C;
  readonly place: string;
  readonly #label: HTMLLabelElement | undefined;
  readonly #help = element('p', 'help');
  readonly #fault = element('p', 'fault', { 'aria-live': 'polite' });

  constructor(control: C, { label, place = '', help }: FieldOptions) {
    const id = `field-${++lastId}`;
    this.control = control;
    control.id = id;
    this.#fault.id = `${id}-fault`;
    if (label !== undefined) {
      this.#label = element('label', '', label);
      this.#label.htmlFor = id;
    }
    if (control.type === 'checkbox' && this.#label) {
      const line = element('div', 'check-line');
      line.append(control, this.#label);
      this.root.append(line);
    } else {
      control.classList.toggle('field', control.type !== 'checkbox');
      this.root.append(...(this.#label ? [this.#label] : []), control);
    }
    if (help !== undefined) {
      this.#help.id = `${id}-help`;
      control.setAttribute('aria-describedby', this.#help.id);
      this.root.append(this.#help);
      setText(this.#help, help);
    }
    this.root.append(this.#fault);
    this.place = place;
    fields.set(this.root, this);
  }

  /** The label contains the name of the column, which may change. */
  set label(label: string) {
    if (this.#label) setText(this.#label, label);
    else setAttribute(this.control, 'aria-label', label);
  }

  set fault(message: string) {
    setText(this.#fault, message);
    setAttribute(this.control, 'aria-invalid', message === '' ? undefined : 'true');
    setAttribute(this.control, 'aria-errormessage', message === '' ? undefined : this.#fault.id);
  }
}

interface TextFieldOptions extends FieldOptions {
  readonly onInput?: (text: string) => void;
  /** Called when the user leaves a changed field. */
  readonly onLeave?: () => void;
  readonly suggestions?: string;
  readonly isCode?: boolean;
  readonly placeholder?: string;
}

export class TextField extends Field<HTMLInputElement> {
  constructor({ onInput, onLeave, suggestions, isCode = false, placeholder, ...options }: TextFieldOptions) {
    const input = element('input', isCode ? 'code' : '');
    input.type = 'text';
    input.autocomplete = 'off';
    input.spellcheck = false;
    if (placeholder !== undefined) input.placeholder = placeholder;
    if (suggestions !== undefined) input.setAttribute('list', suggestions);
    super(input, options);
    if (onInput) input.addEventListener('input', () => onInput(input.value));
    if (onLeave) input.addEventListener('change', onLeave);
  }

  /** An equal text is not set, so that the cursor stays. */
  set value(text: string) {
    if (this.control.value !== text) this.control.value = text;
  }
}

interface CheckFieldOptions extends FieldOptions {
  readonly onChange: (isChecked: boolean) => void;
}

export class CheckField extends Field<HTMLInputElement> {
  constructor({ onChange, ...options }: CheckFieldOptions) {
    const input = element('input', 'check');
    input.type = 'checkbox';
    super(input, options);
    input.addEventListener('change', () => onChange(input.checked));
  }

  set value(isChecked: boolean) {
    this.control.checked = isChecked;
  }
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface ChoiceFieldOptions extends FieldOptions {
  readonly onChange?: (value: string) => void;
}

export class ChoiceField extends Field<HTMLSelectElement> {
  #shownOptions = '';

  constructor({ onChange, ...options }: ChoiceFieldOptions) {
    const select = element('select');
    super(select, options);
    if (onChange) select.addEventListener('change', () => onChange(select.value));
  }

  /** A value without a choice gets one, so that it is not lost. */
  show(choices: readonly Choice[], value: string): void {
    const all = choices.some(choice => choice.value === value) ? choices : [...choices, { value, label: value }];
    const shown = JSON.stringify(all);
    if (this.#shownOptions !== shown) {
      this.control.replaceChildren(...all.map(choice => new Option(choice.label, choice.value)));
      this.#shownOptions = shown;
    }
    this.control.value = value;
  }
}
