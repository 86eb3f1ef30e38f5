import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { CellPart } from '../../../src/protocol/results.ts';
import type { Column, ShownValue } from '../../../src/wire/values.ts';
import { element } from '../../ui/element.ts';
import { focusHere } from '../../ui/focus.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { contentOf, type FieldView, lookedAt } from './fieldViews.ts';

/** Longer values are fetched when somebody asks for them. */
const fetchedAtOnce = 200_000;

export interface RecordFieldOptions {
  readonly column: Column;
  readonly value: ShownValue;
  readonly labels: GridLabels;
  /** Fetches so many characters of the value. */
  readonly fetch: (most: number) => Promise<CellPart>;
}

/** One column of a row: its name, its type, how large the value is, and the value in one of several views. */
export class RecordField {
  readonly root = element('div', 'record-field');
  readonly #options: RecordFieldOptions;
  readonly #head = element('dt');
  readonly #body = element('dd');
  /** What was chosen last, while it is being made. */
  #chosen: FieldView | undefined;

  constructor(options: RecordFieldOptions) {
    this.#options = options;
    const { value, labels } = options;
    // Takes the focus of a button that goes away.
    this.#body.tabIndex = -1;
    this.root.append(this.#head, this.#body);
    if (value.length === undefined) this.#show(value);
    else if (value.length <= fetchedAtOnce) void this.#fetch();
    else {
      const size = value.length.toLocaleString(pageLanguage());
      const load = createPlainButton(fill(labels.loadWhole, size), () => void this.#fetch());
      this.#showHead('', []);
      this.#body.replaceChildren(load);
    }
  }

  async #fetch(): Promise<void> {
    const { labels, fetch } = this.#options;
    this.#showHead('', []);
    if (this.#body.contains(document.activeElement)) focusHere(this.#body);
    this.#body.textContent = labels.loading;
    try {
      this.#show(await fetch(lookedAt));
    } catch {
      // Why is told by who fetches. Trying again is what can be done here.
      this.#body.replaceChildren(createPlainButton(labels.tryAgain, () => void this.#fetch()));
    }
  }

  #show(value: CellPart): void {
    const { column, labels, fetch } = this.#options;
    const whole = (): Promise<CellPart> => fetch(Number.MAX_SAFE_INTEGER);
    const { size, views } = contentOf(value, { type: column.type, labels, whole });
    this.root.dataset['kind'] = value.kind;
    this.#showHead(size, views);
    const [first] = views;
    if (first) void this.#showView(first, views);
  }

  #showHead(size: string, views: readonly FieldView[]): void {
    const { column } = this.#options;
    this.#head.replaceChildren(element('span', 'record-name', column.name));
    if (column.type) this.#head.append(element('span', 'record-type', column.type));
    if (size) this.#head.append(element('span', 'record-size', size));
    if (views.length < 2) return;
    const choice = element('span', 'record-views');
    choice.setAttribute('role', 'group');
    choice.setAttribute('aria-label', fill(this.#options.labels.viewOf, column.name));
    choice.append(...views.map(view => createPlainButton(view.label, () => void this.#showView(view, views))));
    this.#head.append(choice);
  }

  async #showView(view: FieldView, views: readonly FieldView[]): Promise<void> {
    const buttons = this.#head.querySelectorAll('.record-views button');
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(views[i] === view)));
    this.#chosen = view;
    const shown = view.show();
    // What is there already is shown at once, so that nothing flickers.
    const made = shown instanceof Promise ? await shown : shown;
    if (this.#chosen === view) this.#body.replaceChildren(made);
  }
}
