import { t } from '@vscode/l10n';
import type { CellPart } from '../../../src/protocol/results.ts';
import type { ShownValue } from '../../../src/protocol/shownValues.ts';
import type { Column } from '../../../src/wire/values.ts';
import { element, setAttribute } from '../../ui/element.ts';
import { focusHere } from '../../ui/focus.ts';
import { formatCount } from '../../ui/counts.ts';
import { createIconButton, createPlainButton } from '../../ui/iconButton.ts';
import { icon } from '../../ui/icons.ts';
import { showText, visibleText } from '../../ui/visibleText.ts';
import { contentOf, type FieldView, viewedLength } from './fieldViews.ts';

/** Longer values, and long values beyond the first ones of a record, have a button that loads them. */
const maxAutomaticLength = 200_000;
const maxAutomaticFetches = 100;
const maxAutomaticCharacters = 2_000_000;

/** Limits the long values of a record that are fetched without a request of the user. A record may have thousands. */
export function limitFetches(): (length: number) => boolean {
  let count = 0;
  let characters = 0;
  return length => {
    if (length > maxAutomaticLength) return false;
    characters += length;
    return ++count <= maxAutomaticFetches && characters <= maxAutomaticCharacters;
  };
}

interface RecordFieldOptions {
  readonly column: Column;
  readonly value: ShownValue;
  /** Whether a value of this length is fetched without a request. */
  readonly mayFetch: (length: number) => boolean;
  readonly copy: () => void;
  /** Fetches the value, or its first `maxLength` characters. */
  readonly fetch: (maxLength: number) => Promise<CellPart>;
}

/** One column of a record: its name and type, the size of the value, and the value in one of several views. */
export class RecordField {
  readonly root = element('div', 'record-field');
  readonly #options: RecordFieldOptions;
  readonly #name: string;
  readonly #head = element('dt');
  /** Gets the focus of a button that is removed. */
  readonly #body = element('dd', '', { tabindex: '-1' });
  /** The view that the user chose last. It may still be loading. */
  #chosenView: FieldView | undefined;

  constructor(options: RecordFieldOptions) {
    this.#options = options;
    const { column, value, mayFetch } = options;
    this.#name = visibleText(column.name);
    this.root.append(this.#head, this.#body);
    if (value.length === undefined) this.#show(value);
    else if (mayFetch(value.length)) void this.#fetch();
    else {
      const label = t('Load All {0} Characters', formatCount(value.length));
      const load = createPlainButton(label, () => void this.#fetch());
      this.#showHead('', []);
      this.#body.replaceChildren(load);
    }
  }

  setActive(isActive: boolean): void {
    this.root.classList.toggle('active', isActive);
    setAttribute(this.#head, 'aria-current', isActive ? 'true' : undefined);
  }

  reveal(): void {
    this.root.scrollIntoView({ block: 'nearest' });
  }

  async #fetch(): Promise<void> {
    const { fetch } = this.#options;
    this.#showHead('', []);
    if (this.#body.contains(document.activeElement)) focusHere(this.#body);
    this.#body.textContent = t('Loading');
    try {
      this.#show(await fetch(viewedLength));
    } catch {
      // `fetch` shows the reason.
      this.#body.replaceChildren(createPlainButton(t('Retry'), () => void this.#fetch()));
    }
  }

  #show(value: CellPart): void {
    const { column, fetch } = this.#options;
    const fetchWhole = (): Promise<CellPart> => fetch(Number.MAX_SAFE_INTEGER);
    const { size, views } = contentOf(value, { type: column.type, fetchWhole });
    this.root.dataset['kind'] = value.kind;
    this.#showHead(size, views);
    const [first] = views;
    if (first) void this.#showView(first, views);
  }

  #showHead(size: string, views: readonly FieldView[]): void {
    const { column } = this.#options;
    const name = element('span', 'record-name');
    showText(name, column.name);
    const copy = createIconButton({
      label: t('Copy Value of {0}', this.#name),
      sign: icon('copy'),
      onClick: this.#options.copy,
    });
    copy.classList.add('record-copy');
    // Not in the tab order, because Ctrl+C copies the active value.
    copy.tabIndex = -1;
    this.#head.replaceChildren(name);
    if (column.type) {
      const type = element('span', 'record-type');
      showText(type, column.type);
      this.#head.append(type);
    }
    if (size) this.#head.append(element('span', 'record-size', size));
    this.#head.append(copy);
    if (views.length < 2) return;
    const choice = element('span', 'record-views', { role: 'group', 'aria-label': t('View of {0}', this.#name) });
    choice.append(...views.map(view => createPlainButton(view.label, () => void this.#showView(view, views))));
    this.#head.append(choice);
  }

  async #showView(view: FieldView, views: readonly FieldView[]): Promise<void> {
    const buttons = this.#head.querySelectorAll('.record-views button');
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(views[i] === view)));
    this.#chosenView = view;
    const created = view.create();
    // A view that is ready is shown at once, so that nothing flickers.
    const shown = created instanceof Promise ? await created : created;
    if (this.#chosenView === view) this.#body.replaceChildren(shown);
  }
}
