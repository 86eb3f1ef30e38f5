import { t } from '@vscode/l10n';
import { element } from '../../ui/element.ts';
import { takeKey } from '../../ui/keys.ts';

interface FilterFieldOptions<Filter> {
  readonly label: string;
  readonly value: string;
  readonly parse: (text: string) => { readonly isValid: boolean; readonly filter?: Filter | undefined };
  readonly apply: (filter: Filter | undefined) => void;
  readonly openForm?: () => void;
  readonly cancel: () => void;
  readonly close: () => void;
}

/** A field for a filter as a text. Enter applies it, and Alt+Down opens its form. */
export function createFilterField<Filter>(options: FilterFieldOptions<Filter>): HTMLInputElement {
  const { label, value, parse, apply, openForm, cancel, close } = options;
  const field = element('input', 'field filter-field', { 'aria-label': label, spellcheck: 'false' });
  field.value = value;
  const showValidity = (isValid: boolean): void => {
    showFault(field, isValid);
    field.setCustomValidity(field.title);
    if (!isValid) field.reportValidity();
  };
  field.addEventListener('input', () => {
    if (field.title !== '') showValidity(true);
  });
  field.addEventListener('keydown', event => {
    const { key, altKey } = event;
    if (key === 'Enter') {
      const { isValid, filter } = parse(field.value);
      showValidity(isValid);
      if (isValid) apply(filter);
    } else if (key === 'Escape') {
      showValidity(true);
      cancel();
    } else if (altKey && key === 'ArrowDown') openForm?.();
    else return;
    takeKey(event);
  });
  field.addEventListener('blur', close);
  return field;
}

/** Marks a text that is not a filter. */
export function showFault(field: HTMLInputElement, isValid: boolean): void {
  field.setAttribute('aria-invalid', String(!isValid));
  field.title = isValid ? '' : t('Enter a value, or an operator and a value, such as > 5.');
}
