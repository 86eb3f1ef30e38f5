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

interface FieldOptions<T> {
  /** Without it, only screen readers get a label: the `name`. */
  readonly label?: string;
  readonly name?: () => string;
  /** The place by which a fault finds the field, such as `columns/column1/name`. */
  readonly place?: string;
  readonly help?: string;
  /** The value to show. Without it, the form sets the value. */
  readonly read?: () => T;
  readonly isHidden?: () => boolean;
}

abstract class Field<T = unknown, C extends FieldControl = FieldControl> {
  readonly root = element('div', 'form-field');
  readonly control: C;
  readonly place: string;
  readonly #options: FieldOptions<T>;
  readonly #fault = element('p', 'fault', { 'aria-live': 'polite' });

  constructor(control: C, options: FieldOptions<T>) {
    const { label, place = '', help } = options;
    const id = `field-${++lastId}`;
    this.#options = options;
    this.place = place;
    this.control = control;
    control.id = id;
    this.#fault.id = `${id}-fault`;
    const labels = label === undefined ? [] : [element('label', '', label)];
    for (const shown of labels) shown.htmlFor = id;
    if (control.type === 'checkbox' && label !== undefined) {
      const line = element('div', 'check-line');
      line.append(control, ...labels);
      this.root.append(line);
    } else {
      control.classList.toggle('field', control.type !== 'checkbox');
      this.root.append(...labels, control);
    }
    if (help !== undefined) {
      const helpLine = element('p', 'help', help);
      helpLine.id = `${id}-help`;
      control.setAttribute('aria-describedby', helpLine.id);
      this.root.append(helpLine);
    }
    this.root.append(this.#fault);
    fields.set(this.root, this);
  }

  abstract set value(value: T);

  /** Shows the present value and name. */
  refresh(): void {
    const { name, read, isHidden } = this.#options;
    if (name) this.control.setAttribute('aria-label', name());
    if (isHidden) this.root.hidden = isHidden();
    if (read) this.value = read();
  }

  set fault(message: string) {
    setText(this.#fault, message);
    setAttribute(this.control, 'aria-invalid', message === '' ? undefined : 'true');
    setAttribute(this.control, 'aria-errormessage', message === '' ? undefined : this.#fault.id);
  }
}

interface TextFieldOptions extends FieldOptions<string> {
  readonly onInput?: (text: string) => void;
  /** Called when the user leaves a changed field. */
  readonly onLeave?: () => void;
  readonly suggestions?: string;
  readonly isCode?: boolean;
  readonly placeholder?: string;
}

export class TextField extends Field<string, HTMLInputElement> {
  constructor({ onInput, onLeave, suggestions, isCode = false, placeholder, ...options }: TextFieldOptions) {
    const input = element('input', isCode ? 'code' : '', { type: 'text', autocomplete: 'off', spellcheck: 'false' });
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

interface CheckFieldOptions extends FieldOptions<boolean> {
  readonly onChange: (isChecked: boolean) => void;
}

export class CheckField extends Field<boolean, HTMLInputElement> {
  constructor({ onChange, ...options }: CheckFieldOptions) {
    const input = element('input', 'check', { type: 'checkbox' });
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

interface ChoiceFieldOptions extends FieldOptions<string> {
  /** Without it, the form shows the choices with the value. */
  readonly choices?: () => readonly Choice[];
  readonly onChange?: (value: string) => void;
}

export class ChoiceField extends Field<string, HTMLSelectElement> {
  readonly #choices: () => readonly Choice[];
  #shownOptions = '';

  constructor({ choices = () => [], onChange, ...options }: ChoiceFieldOptions) {
    const select = element('select');
    super(select, options);
    this.#choices = choices;
    if (onChange) select.addEventListener('change', () => onChange(select.value));
  }

  set value(value: string) {
    this.show(this.#choices(), value);
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
