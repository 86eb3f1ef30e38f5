import { t } from '@vscode/l10n';
import { Debouncer } from '../../../src/base/debouncer.ts';
import type { ValueCount, ValueCounts } from '../../../src/protocol/rowQueries.ts';
import { element, setAttribute } from '../../ui/element.ts';
import { formatCount, rowsLabel } from '../../ui/counts.ts';
import { takeKey } from '../../ui/keys.ts';
import { showText, visibleText } from '../../ui/visibleText.ts';
import type { FilterValues } from './filterOperators.ts';

interface ValueListOptions {
  readonly chosen: FilterValues;
  readonly load: (search: string, signal: AbortSignal) => Promise<ValueCounts>;
  readonly onFailed: (thrown: unknown) => void;
  readonly onToggled: () => void;
}

const searchPauseMs = 200;
let lists = 0;

/** The distinct values of a column with their counts. Space and a click choose a value, and a search finds others. */
export class ValueList {
  readonly root = element('div', 'value-list');
  readonly control = element('input', 'field', { 'aria-label': t('Search values'), spellcheck: 'false' });
  readonly #options: ValueListOptions;
  readonly #list = element('div', 'values', { role: 'listbox', 'aria-multiselectable': 'true', tabindex: '0' });
  readonly #note = element('p', 'note', { role: 'status' });
  readonly #id = `values-${++lists}`;
  readonly #searching = new Debouncer({ run: () => void this.#load(), delayMs: searchPauseMs });
  #loading: AbortController | undefined;
  /** Null is NULL. A search may hide chosen values. */
  readonly #chosen: Set<string | null>;
  #values: readonly ValueCount[] = [];
  #active = 0;

  constructor(options: ValueListOptions) {
    this.#options = options;
    const { texts, withNull = false } = options.chosen;
    this.#chosen = new Set([...texts, ...(withNull ? [null] : [])]);
    this.control.placeholder = t('Search values');
    this.control.addEventListener('input', () => this.#searching.schedule());
    this.control.addEventListener('keydown', event => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      this.#list.focus();
    });
    this.#list.setAttribute('aria-label', t('Values and their numbers of rows'));
    this.#list.addEventListener('keydown', event => this.#onKey(event));
    this.#list.addEventListener('click', ({ target }) => this.#onClick(target));
    this.root.append(this.control, this.#list, this.#note);
  }

  open(): void {
    if (!this.#loading) void this.#load();
  }

  get chosenCount(): number {
    return this.#chosen.size;
  }

  get chosen(): FilterValues {
    return { texts: [...this.#chosen].filter(text => text !== null), withNull: this.#chosen.has(null) };
  }

  #refresh(): void {
    for (const [index, option] of [...this.#list.children].entries()) {
      const value = this.#values[index];
      if (value) option.setAttribute('aria-selected', String(this.#chosen.has(value.text)));
      option.classList.toggle('current', index === this.#active);
    }
    const hasActive = this.#values.length > 0;
    setAttribute(this.#list, 'aria-activedescendant', hasActive ? `${this.#id}-${this.#active}` : undefined);
  }

  dispose(): void {
    this.#searching.dispose();
    this.#loading?.abort();
  }

  async #load(): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const { load, onFailed } = this.#options;
    this.#note.textContent = t('Loading');
    try {
      const counts = await load(this.control.value, loading.signal);
      if (!loading.signal.aborted) this.#show(counts);
    } catch (thrown) {
      if (loading.signal.aborted) return;
      this.#note.textContent = '';
      onFailed(thrown);
    }
  }

  #show({ values, hasMore }: ValueCounts): void {
    this.#values = values;
    this.#active = 0;
    this.#list.replaceChildren(...values.map((value, index) => this.#createOption(value, index)));
    this.#note.textContent =
      values.length === 0 ? t('No values') : hasMore ? t('More values exist. Search to find them.') : '';
    this.#refresh();
  }

  #createOption({ text, count }: ValueCount, index: number): HTMLElement {
    const option = element('div', 'value-option', { role: 'option' });
    option.id = `${this.#id}-${index}`;
    const value = element('span', text === null || text === '' ? 'value missing' : 'value');
    if (text === null || text === '') value.textContent = text === null ? 'NULL' : t('(empty)');
    else {
      showText(value, text);
      value.title = visibleText(text);
    }
    option.append(value, ' ', element('span', 'count', formatCount(count)));
    option.setAttribute('aria-label', `${value.textContent} ${rowsLabel(count)}`);
    return option;
  }

  #onClick(target: EventTarget | null): void {
    const option = target instanceof Element ? target.closest('.value-option') : null;
    const index = option ? [...this.#list.children].indexOf(option) : -1;
    if (index !== -1) this.#toggle(index);
  }

  #toggle(index: number): void {
    const value = this.#values[index];
    if (!value) return;
    this.#active = index;
    if (!this.#chosen.delete(value.text)) this.#chosen.add(value.text);
    this.#options.onToggled();
    this.#refresh();
  }

  #onKey(event: KeyboardEvent): void {
    const { key } = event;
    const last = this.#values.length - 1;
    if (key === ' ') this.#toggle(this.#active);
    else if (key === 'ArrowDown') this.#moveTo(Math.min(last, this.#active + 1));
    else if (key === 'ArrowUp' && this.#active === 0) this.control.focus();
    else if (key === 'ArrowUp') this.#moveTo(this.#active - 1);
    else if (key === 'Home') this.#moveTo(0);
    else if (key === 'End') this.#moveTo(last);
    else return;
    takeKey(event);
  }

  #moveTo(index: number): void {
    this.#active = Math.max(0, index);
    this.#refresh();
    this.#list.children.item(this.#active)?.scrollIntoView({ block: 'nearest' });
  }
}
