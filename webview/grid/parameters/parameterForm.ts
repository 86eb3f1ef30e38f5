import { t } from '@vscode/l10n';
import { cutText } from '../../../src/base/oneLine.ts';
import {
  type ParameterFault,
  type ParameterFormView,
  type ParameterType,
  parameterTypes,
  type TypedValue,
} from '../../../src/protocol/parameterForm.ts';
import { createActionButton } from '../../ui/actionButton.ts';
import { element, setAttribute, setText } from '../../ui/element.ts';
import { visibleText } from '../../ui/visibleText.ts';
import './parameterForm.css';

interface ParameterFormOptions {
  readonly focusParameter: (id: string, index: number) => void;
  /** Resolves with the faults of values. Without faults, the host closes the form. */
  readonly submit: (id: string, values: readonly TypedValue[]) => Promise<readonly ParameterFault[]>;
  readonly cancel: (id: string) => void;
}

const maxSetLength = 60;

/** A form with a row for each `?` of a statement. Enter runs the statement when all values are there. */
export class ParameterForm {
  readonly root = element('div', 'parameter-form', { role: 'dialog', 'aria-modal': 'true', hidden: '' });
  readonly #fieldForm = element('form');
  readonly #options: ParameterFormOptions;
  readonly #title = element('h2');
  readonly #rows = element('div', 'parameter-rows');
  readonly #recent = element('select', 'field', { 'aria-label': t('Recent Values') });
  #fields: FieldRow[] = [];
  #form: ParameterFormView | null = null;

  constructor(options: ParameterFormOptions) {
    this.#options = options;
    const run = createActionButton(t('Run'), () => undefined, true);
    const cancel = createActionButton(t('Cancel'), () => this.#cancel());
    const help = t('Enter runs, Tab moves, Ctrl+Space changes the type, Escape cancels.');
    const line = [run, cancel, this.#recent, element('span', 'parameter-help', help)];
    run.type = 'submit';
    this.#fieldForm.append(this.#title, this.#rows, element('div', 'parameter-buttons', line));
    this.root.append(this.#fieldForm);
    this.#fieldForm.addEventListener('submit', event => {
      event.preventDefault();
      void this.#submit();
    });
    this.root.addEventListener('keydown', event => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      this.#cancel();
    });
    this.#recent.addEventListener('change', () => this.#useRecent());
  }

  /** Opens or closes the form. An open one gets columns that have become known. */
  show(form: ParameterFormView | null): void {
    const isOpen = form !== null && form.id === this.#form?.id;
    this.#form = form;
    this.root.hidden = form === null;
    // Tab must not go to parts behind the form, which cannot be seen.
    for (const part of this.root.parentElement?.children ?? []) {
      if (part instanceof HTMLElement && part !== this.root) part.inert = form !== null;
    }
    if (!form) return this.#rows.replaceChildren();
    setText(this.#title, visibleText(form.title));
    this.root.setAttribute('aria-label', visibleText(form.title));
    if (isOpen) {
      for (const [index, field] of form.fields.entries()) this.#fields[index]?.learn(field);
      return;
    }
    this.#fields = form.fields.map(
      (field, index) => new FieldRow(field, index, () => this.#options.focusParameter(form.id, index)),
    );
    this.#rows.replaceChildren(...this.#fields.map(({ root }) => root));
    this.#showRecent(form);
    this.focus();
  }

  /** Focuses the first missing value, or else the first value. */
  focus(): void {
    (this.#fields.find(({ isMissing }) => isMissing) ?? this.#fields[0])?.focus();
  }

  async #submit(): Promise<void> {
    const form = this.#form;
    if (!form) return;
    const missing = this.#fields.find(({ isMissing }) => isMissing);
    for (const field of this.#fields) field.showFault(field.isMissing ? t('Enter a value.') : '');
    if (missing) return missing.focus();
    const faults = await this.#options.submit(
      form.id,
      this.#fields.map(({ value }) => value),
    );
    for (const { index, message } of faults) this.#fields[index]?.showFault(message);
    const [first] = faults;
    if (first) this.#fields[first.index]?.focus();
  }

  #cancel(): void {
    if (this.#form) this.#options.cancel(this.#form.id);
  }

  #showRecent({ recent }: ParameterFormView): void {
    this.#recent.hidden = recent.length === 0;
    this.#recent.replaceChildren(
      new Option(t('Recent Values'), ''),
      ...recent.map((values, index) => new Option(setLabel(values), String(index))),
    );
  }

  #useRecent(): void {
    const values = this.#recent.value === '' ? undefined : this.#form?.recent[Number(this.#recent.value)];
    for (const [index, value] of values?.entries() ?? []) if (value) this.#fields[index]?.use(value);
    this.focus();
  }
}

function setLabel(values: readonly (TypedValue | null)[]): string {
  const text = values
    .map(value =>
      !value ? '…' : value.type === 'null' ? 'NULL' : value.type === 'text' ? `'${value.text}'` : value.text,
    )
    .join(', ');
  return visibleText(cutText(text, maxSetLength));
}

type ParameterField = ParameterFormView['fields'][number];

/** One parameter: its name, value and type, and the SQL around it or the fault of the value. */
class FieldRow {
  readonly root = element('div', 'parameter-row');
  readonly #label = element('label');
  readonly #input = element('input', 'field', { spellcheck: 'false', autocomplete: 'off' });
  /** Tab goes from value to value, and Ctrl+Space changes the type. */
  readonly #type = element('select', 'field', { tabindex: '-1' });
  readonly #note = element('span', 'parameter-context');
  #field: ParameterField;
  /** The user chose the type, or the type came with a value. Then it is not guessed. */
  #isTypeChosen: boolean;
  /** Whether an empty text is a value: the user left it empty, or it was a value before. */
  #isTouched: boolean;

  constructor(field: ParameterField, index: number, onFocus: () => void) {
    this.#field = field;
    this.#isTypeChosen = field.value !== null;
    this.#isTouched = field.value !== null;
    const id = `parameter-${index}`;
    this.#input.id = id;
    this.#label.htmlFor = id;
    this.#note.id = `${id}-note`;
    this.#input.setAttribute('aria-describedby', this.#note.id);
    this.#input.value = field.value?.text ?? '';
    for (const type of parameterTypes) this.#type.append(new Option(typeTexts()[type], type));
    this.#type.value = field.value?.type ?? field.type;
    this.#input.addEventListener('input', () => {
      this.#isTouched = true;
      this.#guessType();
      this.showFault('');
    });
    this.#type.addEventListener('change', () => this.#chooseType(this.type));
    this.#input.addEventListener('focus', onFocus);
    this.#input.addEventListener('keydown', event => {
      if (event.key !== ' ' || !event.ctrlKey) return;
      event.preventDefault();
      const next = (parameterTypes.indexOf(this.type) + 1) % parameterTypes.length;
      this.#chooseType(parameterTypes[next]!);
    });
    this.root.append(this.#label, this.#input, this.#type, this.#note);
    this.learn(field);
  }

  get type(): ParameterType {
    return parameterTypes.find(type => type === this.#type.value) ?? 'text';
  }

  get value(): TypedValue {
    return { type: this.type, text: this.type === 'null' ? '' : this.#input.value };
  }

  get isMissing(): boolean {
    if (this.type === 'null' || this.#input.value !== '') return false;
    return this.type !== 'text' || !this.#isTouched;
  }

  /** Takes the name and type of the column. The type stays once the user has entered a value. */
  learn(field: ParameterField): void {
    this.#field = field;
    const name = visibleText(field.name);
    setText(this.#label, name);
    this.#label.title = name;
    if (!this.#isTypeChosen && this.#input.value === '') this.#type.value = field.type;
    this.#type.setAttribute('aria-label', t('Type of {0}', name));
    this.#update();
  }

  use(value: TypedValue): void {
    this.#input.value = value.text;
    this.#chooseType(value.type);
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  /** An empty message removes the fault. */
  showFault(message: string): void {
    const isFaulty = message !== '';
    this.root.classList.toggle('faulty', isFaulty);
    setAttribute(this.#input, 'aria-invalid', isFaulty ? 'true' : undefined);
    setText(this.#note, isFaulty ? message : visibleText(this.#field.context));
    this.#update();
  }

  #chooseType(type: ParameterType): void {
    this.#type.value = type;
    this.#isTypeChosen = true;
    this.#isTouched = true;
    this.showFault('');
  }

  #guessType(): void {
    if (!this.#isTypeChosen && !this.#field.hasColumnType) this.#type.value = guessedType(this.#input.value);
  }

  #update(): void {
    const label = typeTexts()[this.type];
    const isNull = this.type === 'null';
    this.#input.readOnly = isNull;
    if (isNull) this.#input.value = '';
    this.#input.placeholder = isNull ? label : t('{0}, required', label);
    if (!this.root.classList.contains('faulty')) setText(this.#note, visibleText(this.#field.context));
  }
}

function guessedType(text: string): ParameterType {
  if (/^[+-]?\d+$/.test(text)) return 'integer';
  if (/^[+-]?(?:\d+\.\d*|\.\d+|\d+)(?:e[+-]?\d+)?$/i.test(text)) return 'real';
  return /^(?:true|false)$/i.test(text) ? 'boolean' : 'text';
}

const typeTexts = (): Record<ParameterType, string> => ({
  text: t('text'),
  integer: t('integer'),
  real: t('real'),
  boolean: t('boolean'),
  null: 'NULL',
});
