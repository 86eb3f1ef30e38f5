import { t } from '@vscode/l10n';
import { type JsonFaultKind, jsonFaultIn, layOutJson, lineAndColumn } from '../../../src/base/jsonText.ts';
import { element, setText } from '../../ui/element.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { ariaKeys, keyWords, type Shortcut } from '../../ui/shortcut.ts';

/** A longer text is not checked with each key: that would keep the user waiting. */
const maxCheckedLength = 1_000_000;
/** Format is on the keys of VS Code's Format Document. */
const formatKeys: Shortcut = 'Shift+Alt+F';
const minifyKeys: Shortcut = 'Shift+Alt+M';

interface JsonHelpOptions {
  readonly text: () => string;
  /** Replaces the text in a way that the user can undo. */
  readonly replace: (text: string) => void;
}

/** The line below a field with JSON: whether it is valid, or where it is not, and the two ways to lay it out. */
export class JsonHelp {
  readonly root = element('div', 'json');
  readonly #options: JsonHelpOptions;
  readonly #state = element('span');
  readonly #buttons: readonly HTMLButtonElement[];

  constructor(options: JsonHelpOptions) {
    this.#options = options;
    this.#state.setAttribute('role', 'status');
    this.#buttons = [
      layoutButton(t('Format'), formatKeys, () => this.#layOut('  ')),
      layoutButton(t('Minify'), minifyKeys, () => this.#layOut('')),
    ];
    this.root.append(this.#state, ...this.#buttons);
  }

  /** Checks the text anew. It says nothing about an empty one. */
  check(): void {
    const { text } = this.#options;
    const checked = text();
    const isChecked = checked.length > 0 && checked.length <= maxCheckedLength;
    const fault = isChecked ? jsonFaultIn(checked) : undefined;
    this.root.toggleAttribute('data-fault', fault !== undefined);
    for (const button of this.#buttons) button.disabled = checked === '' || fault !== undefined;
    if (!fault) return setText(this.#state, isChecked ? t('Valid JSON') : '');
    const { line, column } = lineAndColumn(checked, fault.offset);
    setText(this.#state, t('Not valid JSON, line {0}, column {1}: {2}', line, column, faultTexts()[fault.kind]));
  }

  /** Lays the text out if these are the keys for it. */
  takeKey({ code, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
    // On a Mac, Alt gives other characters, so the key itself counts.
    if (!shiftKey || !altKey || ctrlKey || metaKey || (code !== 'KeyF' && code !== 'KeyM')) return false;
    this.#layOut(code === 'KeyF' ? '  ' : '');
    return true;
  }

  #layOut(indent: string): void {
    const { text, replace } = this.#options;
    const before = text();
    const after = layOutJson(before, indent);
    if (after !== undefined && after !== before) replace(after);
  }
}

const faultTexts = (): Record<JsonFaultKind, string> => ({
  value: t('a value is expected here.'),
  key: t('a name in double quotes is expected here.'),
  colon: t('a colon is expected here.'),
  comma: t('a comma or the closing bracket is expected here.'),
  text: t('the text in quotes does not end, or has a character that must be escaped.'),
  rest: t('nothing may follow the value.'),
  unfinished: t('the text breaks off.'),
});

function layoutButton(label: string, keys: Shortcut, onClick: () => void): HTMLButtonElement {
  const button = createPlainButton(label, onClick);
  button.title = `${label} (${keyWords(keys)})`;
  button.setAttribute('aria-keyshortcuts', ariaKeys(keys));
  button.tabIndex = -1;
  // The focus stays in the field: an edit ends when it leaves.
  button.addEventListener('mousedown', event => event.preventDefault());
  return button;
}
