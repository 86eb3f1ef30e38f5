import { t } from '@vscode/l10n';
import { Debouncer } from '../../../src/base/debouncer.ts';
import type { FindQuery, FindResult, FindStep } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { formatCount } from '../../ui/counts.ts';
import { createIconButton, createPlainButton } from '../../ui/iconButton.ts';
import { takeKey } from '../../ui/keys.ts';
import './find.css';

/** The search starts when the user stops typing. */
const typingPauseMs = 150;
/** Matches in arriving rows are counted this often. */
const recountMs = 1000;

/** A cell by its row in the order shown, and its column in the result. */
interface FoundCell {
  readonly row: number;
  readonly column: number;
}

interface FindBarOptions {
  readonly find: (step: FindStep, signal: AbortSignal) => Promise<FindResult>;
  readonly start: () => FoundCell & { readonly columns: readonly number[] };
  readonly onFound: (cell: FoundCell) => void;
  readonly onFailed: (thrown: unknown) => void;
  /** Filters all rows by the text. Undefined if finding looks at all rows anyway. */
  readonly search: ((text: string) => void) | undefined;
  /** Called when the query changes, and when the bar closes. */
  readonly onQuery: () => void;
  readonly restoreFocus: () => void;
}

type FindState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'found'; readonly count: number; readonly index: number | undefined };

interface FindDirection {
  readonly backwards?: boolean;
  /** Whether a match in the start cell counts. */
  readonly including?: boolean;
  /** Counts the matches without going to one. */
  readonly countOnly?: boolean;
}

/**
 * The bar that finds a text. Enter goes to the next match, Shift+Enter to the previous one, and Escape closes the bar. The host
 * searches all rows. A new search aborts the pending one.
 */
export class FindBar {
  readonly root = element('div', 'find', { role: 'search', hidden: '' });
  readonly #options: FindBarOptions;
  readonly #input = element('input', 'field', { spellcheck: 'false' });
  readonly #outcome = element('span', 'outcome', { 'aria-live': 'polite' });
  /** Screen readers do not read it: it changes too often. */
  readonly #progress = element('progress', '', { 'aria-label': t('Searching…') });
  readonly #matchCase = createIconButton({ label: t('Match Case'), sign: 'Aa', onClick: () => this.#toggleCase() });
  readonly #steps = [
    createIconButton({ label: t('Previous Match'), sign: '↑', onClick: () => this.next(true) }),
    createIconButton({ label: t('Next Match'), sign: '↓', onClick: () => this.next(false) }),
  ];
  readonly #typing = new Debouncer({
    run: () => this.#search(),
    delayMs: typingPauseMs,
    restarts: true,
  });
  readonly #recount = new Debouncer({
    // A pending search is not aborted, because its answer is still useful.
    run: () => (this.#isPending ? this.onRowsAdded() : this.onRearranged()),
    delayMs: recountMs,
  });
  #query: FindQuery = { text: '', matchCase: false };
  #controller = new AbortController();
  #pending: FindDirection | undefined;

  constructor(options: FindBarOptions) {
    this.#options = options;
    const { search } = options;
    // The service searches browsed tables only.
    const label = search ? t('Find in Loaded Rows') : t('Find in All Rows');
    this.#input.setAttribute('aria-label', label);
    this.#input.placeholder = label;
    this.#matchCase.setAttribute('aria-pressed', 'false');
    const searchAll = search && createPlainButton(t('Search All Rows'), () => search(this.#input.value));
    const close = createIconButton({ label: t('Close'), sign: '×', onClick: () => this.close() });
    this.root.append(this.#input, this.#matchCase, this.#outcome, this.#progress, ...this.#steps);
    this.root.append(...(searchAll ? [searchAll] : []), close);
    this.#input.addEventListener('input', () => this.#typing.schedule());
    this.root.addEventListener('keydown', event => this.#onKey(event));
    this.#show({ kind: 'idle' });
  }

  get isOpen(): boolean {
    return !this.root.hidden;
  }

  get query(): FindQuery | undefined {
    return this.isOpen ? this.#query : undefined;
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
    this.#stop();
  }

  /** Goes to the next match. Without a query, opens the bar. */
  next(backwards: boolean): void {
    this.#typing.cancel();
    this.#takeQuery();
    if (this.#query.text === '') this.open();
    else void this.#find({ backwards });
  }

  /**
   * Called when rows moved, or when others pass the filters. Repeats the pending search, or else counts again. The old count stays
   * meanwhile.
   */
  onRearranged(): void {
    if (this.isOpen) void this.#find(this.#pending ?? { including: true, countOnly: true });
  }

  onRowsAdded(): void {
    if (this.isOpen && this.#query.text !== '') this.#recount.schedule();
  }

  /** `progress` is from 0 to 1. */
  showProgress(progress = 0): void {
    // Nobody waits for a count of new rows.
    this.#progress.hidden = progress === 0 || !this.#isPending || this.#pending?.countOnly === true;
    this.#progress.value = progress;
  }

  #show(state: FindState): void {
    if (state.kind !== 'searching') this.#progress.hidden = true;
    const hasNone = state.kind === 'found' && state.count === 0;
    this.#outcome.textContent = outcomeText(state);
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
    void this.#find({ including: true });
  }

  #takeQuery(): void {
    const matchCase = this.#matchCase.getAttribute('aria-pressed') === 'true';
    this.#query = { text: this.#input.value, matchCase };
    this.#options.onQuery();
  }

  get #isPending(): boolean {
    return this.#pending !== undefined && !this.#controller.signal.aborted;
  }

  async #find(direction: FindDirection): Promise<void> {
    this.#stop();
    const { backwards = false, including = false, countOnly = false } = direction;
    const { find, start, onFound, onFailed } = this.#options;
    if (this.#query.text === '') return this.#show({ kind: 'idle' });
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#pending = direction;
    if (!countOnly) this.#show({ kind: 'searching' });
    try {
      const from = start();
      const { count, place: match } = await find({ ...this.#query, ...from, backwards, including }, signal);
      if (signal.aborted) return;
      this.#pending = undefined;
      if (match && !countOnly) onFound(match);
      const isAtMatch = match && (!countOnly || (match.row === from.row && match.column === from.column));
      this.#show({ kind: 'found', count, index: isAtMatch ? match.index : undefined });
    } catch (thrown) {
      // A new search has taken over.
      if (signal.aborted) return;
      this.#controller.abort();
      this.#show({ kind: 'failed' });
      onFailed(thrown);
    }
  }

  #stop(): void {
    this.#controller.abort();
    this.#pending = undefined;
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

function outcomeText(state: FindState): string {
  if (state.kind === 'searching') return t('Searching…');
  if (state.kind !== 'found') return '';
  if (state.count === 0) return t('No results');
  const count = formatCount(state.count);
  if (state.index === undefined) return state.count === 1 ? t('1 result') : t('{0} results', count);
  return t('{0} of {1}', formatCount(state.index + 1), count);
}

/** As in the style sheet. */
const highlightName = 'match';
/** The texts for NULL and for loading values are not part of the result. */
const searchedCells = '[role="gridcell"]:not([data-kind="null"], [data-kind="loading"])';

/** Highlights the matches of a query, or else of a search, in all cells or at one position. It marks ranges of their texts. */
export function highlightMatches(
  root: HTMLElement,
  foundQuery: FindQuery | undefined,
  search = '',
  position?: number,
): void {
  const query = foundQuery?.text ? foundQuery : { text: search, matchCase: false };
  if (query.text === '') {
    CSS.highlights.delete(highlightName);
    return;
  }
  const foldCase = (text: string): string => (query.matchCase ? text : text.toLowerCase());
  const searched = foldCase(query.text);
  const ranges: Range[] = [];
  const column = position === undefined ? '' : `[aria-colindex="${position + 2}"]`;
  for (const cell of root.querySelectorAll(searchedCells + column)) {
    for (const node of cell.childNodes) {
      const text = foldCase(node.textContent ?? '');
      // Some letters are longer in lower case, which would move the highlight.
      if (node.nodeType !== Node.TEXT_NODE || text.length !== node.textContent?.length) continue;
      for (let start = text.indexOf(searched); start >= 0; start = text.indexOf(searched, start + searched.length)) {
        const range = new Range();
        range.setStart(node, start);
        range.setEnd(node, start + searched.length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set(highlightName, new Highlight(...ranges));
}
