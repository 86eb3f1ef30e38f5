import { Debouncer } from '../../../src/base/debouncer.ts';
import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { FindQuery } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createIconButton, createPlainButton } from '../../ui/iconButton.ts';
import { takeKey } from '../../ui/takeKey.ts';
import { FindSession, type FindSessionOptions, type FindState } from './findSession.ts';
import './find.css';

/** The search starts when the user pauses, not with each letter. */
const typingPauseMs = 150;
/** Matches among arriving rows are counted this often. */
const recountMs = 1000;

interface FindBarOptions extends Omit<FindSessionOptions, 'onChanged'> {
  readonly labels: GridLabels;
  /** Keeps the rows with the text in any column. Undefined if finding looks at all rows anyway. */
  readonly search: ((text: string) => void) | undefined;
  /** Called when the query changes or goes. */
  readonly onQuery: () => void;
  readonly restoreFocus: () => void;
}

/** The bar that finds a text: Enter goes to the next match, Shift+Enter to the previous one, Escape closes it. */
export class FindBar {
  readonly root = element('div', 'find');
  readonly #options: FindBarOptions;
  readonly #session: FindSession;
  readonly #input = element('input', 'field');
  readonly #outcome = element('span', 'outcome');
  /** Not read out: it changes too often. */
  readonly #progress = element('progress');
  readonly #matchCase: HTMLButtonElement;
  readonly #steps: readonly HTMLButtonElement[];
  readonly #typing = new Debouncer({
    run: () => this.#search(),
    delayMs: typingPauseMs,
    restarts: true,
  });
  readonly #recount = new Debouncer({
    run: () => this.#countAnew(),
    delayMs: recountMs,
  });

  constructor(options: FindBarOptions) {
    this.#options = options;
    this.#session = new FindSession({ ...options, onChanged: state => this.#show(state) });
    const { labels } = options;
    this.root.hidden = true;
    this.root.setAttribute('role', 'search');
    this.#input.setAttribute('aria-label', labels.find);
    this.#input.placeholder = labels.find;
    this.#input.spellcheck = false;
    this.#outcome.setAttribute('aria-live', 'polite');
    this.#progress.setAttribute('aria-label', labels.looking);
    this.#progress.max = 1;
    this.#matchCase = createIconButton({ label: labels.matchCase, sign: 'Aa', onClick: () => this.#toggleCase() });
    this.#matchCase.setAttribute('aria-pressed', 'false');
    this.#steps = [
      createIconButton({ label: labels.findPrevious, sign: '↑', onClick: () => this.next(true) }),
      createIconButton({ label: labels.findNext, sign: '↓', onClick: () => this.next(false) }),
    ];
    const { search } = options;
    const searchAll = search && createPlainButton(labels.search, () => search(this.#input.value));
    const close = createIconButton({ label: labels.close, sign: '×', onClick: () => this.close() });
    this.root.append(this.#input, this.#matchCase, this.#outcome, this.#progress, ...this.#steps);
    this.root.append(...(searchAll ? [searchAll] : []), close);
    this.#input.addEventListener('input', () => this.#typing.schedule());
    this.root.addEventListener('keydown', event => this.#onKey(event));
    this.#show({ kind: 'idle' });
  }

  get isOpen(): boolean {
    return !this.root.hidden;
  }

  /** The query whose matches are marked in the rows. */
  get query(): FindQuery | undefined {
    return this.isOpen ? this.#session.query : undefined;
  }

  open(): void {
    this.root.hidden = false;
    this.#input.focus();
    this.#input.select();
    this.#search();
  }

  close(): void {
    this.dispose();
    this.root.hidden = true;
    this.#options.onQuery();
    this.#options.restoreFocus();
  }

  dispose(): void {
    this.#typing.cancel();
    this.#recount.cancel();
    this.#session.stop();
  }

  /** Goes to the next match, or opens the bar without a query. */
  next(backwards: boolean): void {
    this.#typing.cancel();
    this.#takeQuery();
    if (this.#session.query.text === '') this.open();
    else void this.#session.find({ backwards });
  }

  /** Rows moved, or others pass the filters: the count is outdated. */
  onRearranged(): void {
    if (this.isOpen) void this.#session.repeat();
  }

  /** Rows arrived that may match. */
  onRowsAdded(): void {
    if (this.isOpen && this.#session.query.text !== '') this.#recount.schedule();
  }

  /** Shows the progress of a search from 0 to 1. */
  showProgress(progress = 0): void {
    this.#progress.hidden = progress === 0 || !this.#session.isSearching;
    this.#progress.value = progress;
  }

  /** Waits for a pending search: its answer is worth having. */
  #countAnew(): void {
    if (this.#session.isPending) this.onRowsAdded();
    else this.onRearranged();
  }

  #show(state: FindState): void {
    const { labels } = this.#options;
    if (state.kind !== 'searching') this.#progress.hidden = true;
    const hasNone = state.kind === 'found' && state.count === 0;
    this.#outcome.textContent = outcomeText(state, labels);
    this.root.classList.toggle('none', hasNone);
    for (const step of this.#steps) step.disabled = hasNone || state.kind === 'idle';
  }

  #toggleCase(): void {
    const pressed = this.#matchCase.getAttribute('aria-pressed') !== 'true';
    this.#matchCase.setAttribute('aria-pressed', String(pressed));
    this.#search();
  }

  #search(): void {
    this.#takeQuery();
    void this.#session.find({ including: true });
  }

  #takeQuery(): void {
    const matchCase = this.#matchCase.getAttribute('aria-pressed') === 'true';
    this.#session.setQuery({ text: this.#input.value, matchCase });
    this.#options.onQuery();
  }

  #onKey(event: KeyboardEvent): void {
    const { key, shiftKey, target } = event;
    const isTyping = target === this.#input;
    if (key === 'Escape') this.close();
    else if (key === 'F3' || (key === 'Enter' && isTyping)) this.next(shiftKey);
    else if (key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey)) {
      if (shiftKey) this.#options.search?.(this.#input.value);
      else this.#input.select();
    } else return;
    takeKey(event);
  }
}

function outcomeText(state: FindState, labels: GridLabels): string {
  switch (state.kind) {
    case 'idle':
    case 'failed':
      return '';
    case 'searching':
      return labels.looking;
    case 'found': {
      if (state.count === 0) return labels.noMatch;
      const count = state.count.toLocaleString(pageLanguage());
      if (state.index === undefined) return state.count === 1 ? labels.oneMatch : fill(labels.matches, count);
      return fill(labels.matchOf, (state.index + 1).toLocaleString(pageLanguage()), count);
    }
  }
}
