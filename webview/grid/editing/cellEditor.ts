import { t } from '@vscode/l10n';
import type { TypedKind } from '../../../src/protocol/editValues.ts';
import { element, setText } from '../../ui/element.ts';
import { takeKey, typesCharacter, type Shortcut } from '../../ui/keys.ts';
import { withFieldLineEnds, withLineEndsOf } from './lineEnds.ts';
import './editing.css';
import { type JsonFaultKind, jsonFaultIn, layOutJson, lineAndColumn } from '../../../src/base/jsonText.ts';
import { createPlainButton, showKeys } from '../../ui/iconButton.ts';

export type NextCell = 'below' | 'right' | 'left' | 'same';

interface CellEditorOptions {
  readonly column: string;
  /** The text of the present value. Leaving it as it is changes nothing. */
  readonly text: string;
  /** An empty text is not NULL. */
  readonly isNull: boolean;
  /** The text to begin with: what the user typed on the cell. */
  readonly typedText?: string | undefined;
  readonly isJson: boolean;
  readonly problem?: string | undefined;
  /** The storage class of the present value. Undefined if the column's type determines it. */
  readonly kind?: TypedKind | undefined;
  /** Whether the present text was refused. It is sent again even without a change: the reason may be gone. */
  readonly isRefused: boolean;
  /** Called with the typed text before it is committed. Undefined if the text changes nothing. */
  readonly onTyped: (text: string | undefined) => void;
  /** With `toAll`, all selected cells get the value. */
  readonly commit: (text: string, kind: TypedKind | undefined, toAll: boolean) => void;
  /** Called after a commit to save the table. */
  readonly save: () => void;
  /** Called with the cell to go to. Undefined if the focus is elsewhere already. */
  readonly onClose: (next: NextCell | undefined) => void;
}

const kinds: readonly (TypedKind | undefined)[] = [undefined, 'text', 'integer', 'real', 'blob'];

const kindTexts = (): Record<TypedKind, string> => ({
  integer: t('integer'),
  real: t('real'),
  text: t('text'),
  blob: t('BLOB'),
});
const caretMoves: Readonly<Record<string, [direction: string, granularity: string]>> = {
  ArrowLeft: ['backward', 'character'],
  ArrowRight: ['forward', 'character'],
  ArrowUp: ['backward', 'line'],
  ArrowDown: ['forward', 'line'],
  Home: ['backward', 'lineboundary'],
  End: ['forward', 'lineboundary'],
};
const maxHeightPx = 320;
/** The least width, and that of a long text, of several lines or of JSON. */
const minWidthPx = 120;
const minLongWidthPx = 420;
const longLength = 60;

/** The field of a cell. Only typed text or a chosen type changes the value. */
export class CellEditor {
  readonly root = element('div', 'cell-editor');
  readonly #options: CellEditorOptions;
  readonly #field = element('textarea', '', { rows: '1', spellcheck: 'false' });
  readonly #kind = element('span', 'kind');
  readonly #fault = element('p', 'fault', { role: 'alert' });
  readonly #json: ReturnType<typeof createJsonHelp> | undefined;
  /** The text at first, with the line ends of a field. */
  readonly #initial: string;
  #place: { readonly cell: DOMRect; readonly room: DOMRect } | undefined;
  #kindIndex = 0;
  #isClosed = false;

  constructor(options: CellEditorOptions) {
    this.#options = options;
    const { column, text, typedText: typed, isJson, problem = '' } = options;
    this.#initial = withFieldLineEnds(text);
    this.#kindIndex = kinds.indexOf(options.kind);
    this.#field.value = typed ?? text;
    this.#field.setAttribute('aria-label', t('Edit {0}', column));
    this.#field.title = t(
      'Enter and Tab take the value, Ctrl+Enter takes it for all selected cells, Shift+Enter or Alt+Enter adds a line, Ctrl+Space changes the type, Escape cancels.',
    );
    this.#field.setAttribute('aria-description', this.#field.title);
    setText(this.#fault, problem);
    if (isJson) {
      this.#json = createJsonHelp({
        text: () => this.#field.value,
        replace: replacement => this.#replace(replacement),
      });
    }
    this.root.append(this.#field, this.#kind, ...(this.#json ? [this.#json.root] : []), this.#fault);
    this.#field.addEventListener('input', () => this.#onInput());
    this.#field.addEventListener('keydown', event => this.#onKey(event));
    // A click elsewhere commits, as Tab does.
    this.#field.addEventListener('blur', () => this.#end(undefined));
    this.#showKind();
  }

  /** Opens the field over its cell, within `room`. The editor must be in the page. */
  open(cell: DOMRect, room: DOMRect): void {
    this.place(cell, room);
    this.#field.focus();
    if (this.#options.typedText === undefined) this.#field.select();
    else this.#field.setSelectionRange(this.#field.value.length, this.#field.value.length);
    this.#onInput();
  }

  /** The cell may have moved. */
  place(cell: DOMRect, room: DOMRect): void {
    this.#place = { cell, room };
    const isLong =
      this.#field.value.length > longLength || this.#field.value.includes('\n') || this.#json !== undefined;
    const width = Math.min(Math.max(cell.width, isLong ? minLongWidthPx : minWidthPx), room.width);
    const left = Math.max(room.left, Math.min(cell.left, room.right - width));
    this.root.style.left = `${left}px`;
    this.root.style.width = `${width}px`;
    this.#field.style.minHeight = `${cell.height}px`;
    this.#fit();
  }

  /** Repeats a key that was pressed before the field was open. */
  press(event: KeyboardEvent): void {
    if (!this.#field.dispatchEvent(new KeyboardEvent('keydown', event))) return;
    const { key } = event;
    const isText = typesCharacter(event);
    // A dispatched key event types nothing, so the text is changed here.
    if (isText || key === 'Enter') this.insert(isText ? key : '\n');
    else if (key === 'Backspace') document.execCommand('delete');
    else if (key === 'Delete') document.execCommand('forwardDelete');
    else if (key === 'z') document.execCommand('undo');
    else if (key === 'a') document.execCommand('selectAll');
    else getSelection()?.modify(event.shiftKey ? 'extend' : 'move', ...(caretMoves[key] ?? []));
  }

  /** Types a text, for example one that was pasted before the field was open. */
  insert(text: string): void {
    document.execCommand('insertText', false, text);
  }

  /** Ends the edit as a click elsewhere does. */
  finish(): void {
    this.#end(undefined);
  }

  cancel(): void {
    if (!this.#isClosed) this.#options.onTyped(undefined);
    this.#close('same');
  }

  /** Keys that the field does not use are for VS Code. */
  #onKey(event: KeyboardEvent): void {
    const { key, shiftKey, altKey, ctrlKey, metaKey, isComposing } = event;
    if (isComposing) return;
    const act = (run: () => void): void => {
      takeKey(event);
      run();
    };
    if (this.#json?.takeKey(event)) return takeKey(event);
    if (key === 'Escape') return act(() => this.cancel());
    if (key.toLowerCase() === 's' && (ctrlKey || metaKey)) return act(() => this.#save());
    if (key === ' ' && ctrlKey) return act(() => this.#nextKind());
    if (key === 'Tab') return act(() => this.#end(shiftKey ? 'left' : 'right'));
    if (key !== 'Enter' || shiftKey) return;
    if (altKey) return act(() => this.insert('\n'));
    if (ctrlKey || metaKey) return act(() => this.#end('same', true));
    act(() => this.#end('below'));
  }

  #save(): void {
    this.#end('same');
    this.#options.save();
  }

  /** Replaces the text as typing does, so that the browser can undo it. */
  #replace(text: string): void {
    this.#field.focus();
    this.#field.select();
    // Deprecated, but nothing else lets the browser undo.
    if (!document.execCommand('insertText', false, text)) this.#field.value = text;
    this.#onInput();
  }

  #nextKind(): void {
    this.#kindIndex = (this.#kindIndex + 1) % kinds.length;
    this.#showKind();
  }

  #showKind(): void {
    const kind = kinds[this.#kindIndex];
    setText(this.#kind, kind ? kindTexts()[kind] : '');
    this.#kind.hidden = kind === undefined;
  }

  #onInput(): void {
    this.#json?.check();
    this.#fit();
    this.#options.onTyped(this.#isUnchanged ? undefined : this.#text);
  }

  get #isUnchanged(): boolean {
    const { typedText, kind } = this.#options;
    return this.#field.value === this.#initial && typedText === undefined && kinds[this.#kindIndex] === kind;
  }

  get #text(): string {
    return withLineEndsOf(this.#options.text, this.#field.value);
  }

  /** Makes the field as high as its text, and moves it up if there is no room below. */
  #fit(): void {
    if (!this.#place) return;
    const { cell, room } = this.#place;
    const { style } = this.#field;
    style.height = 'auto';
    style.height = `${Math.min(this.#field.scrollHeight + 2, maxHeightPx, room.height)}px`;
    const top = Math.min(cell.top, room.bottom - this.root.offsetHeight);
    this.root.style.top = `${Math.max(room.top, top)}px`;
  }

  /** Commits, and closes the field at once: the next key is for the next cell. */
  #end(next: NextCell | undefined, toAll = false): void {
    if (this.#isClosed) return;
    const { isNull, isRefused, commit } = this.#options;
    const changesNothing = this.#isUnchanged && !isRefused && (!toAll || isNull);
    if (changesNothing) this.#options.onTyped(undefined);
    else commit(this.#text, kinds[this.#kindIndex], toAll);
    this.#close(next);
  }

  #close(next: NextCell | undefined): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.root.remove();
    this.#options.onClose(next);
  }
}

/** A check of a longer text at each key would delay typing. */
const maxCheckedLength = 1_000_000;
/** As VS Code's Format Document. */
const formatKeys: Shortcut = 'Shift+Alt+F';
const minifyKeys: Shortcut = 'Shift+Alt+M';

interface JsonHelpOptions {
  readonly text: () => string;
  readonly replace: (text: string) => void;
}

/** The line below a field with JSON: whether the text is valid, or where it is not, and the two layouts. */
function createJsonHelp({ text, replace }: JsonHelpOptions) {
  const state = element('span', '', { role: 'status' });
  const layOut = (indent: string): void => {
    const before = text();
    const after = layOutJson(before, indent);
    if (after !== undefined && after !== before) replace(after);
  };
  const buttons = [
    layoutButton(t('Format'), formatKeys, () => layOut('  ')),
    layoutButton(t('Minify'), minifyKeys, () => layOut('')),
  ];
  const root = element('div', 'json', [state, ...buttons]);
  return {
    root,
    /** An empty text gets no message. */
    check: () => {
      const checked = text();
      const isChecked = checked.length > 0 && checked.length <= maxCheckedLength;
      const fault = isChecked ? jsonFaultIn(checked) : undefined;
      root.toggleAttribute('data-fault', fault !== undefined);
      for (const button of buttons) button.disabled = checked === '' || fault !== undefined;
      if (!fault) return setText(state, isChecked ? t('Valid JSON') : '');
      const { line, column } = lineAndColumn(checked, fault.offset);
      setText(state, t('Not valid JSON, line {0}, column {1}: {2}', line, column, faultTexts()[fault.kind]));
    },
    /** Returns whether the keys are for a layout. */
    takeKey: ({ code, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean => {
      // On a Mac, Alt changes the character, so `code` counts.
      if (!shiftKey || !altKey || ctrlKey || metaKey || (code !== 'KeyF' && code !== 'KeyM')) return false;
      layOut(code === 'KeyF' ? '  ' : '');
      return true;
    },
  };
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
  showKeys(button, label, keys);
  button.tabIndex = -1;
  // The field keeps the focus: losing it would end the edit.
  button.addEventListener('mousedown', event => event.preventDefault());
  return button;
}
