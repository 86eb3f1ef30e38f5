import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { FindQuery } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createIconButton, createPlainButton } from '../../ui/iconButton.ts';
import { Finder, type FinderOptions, type FindState } from './finder.ts';
import './find.css';

/** So that not each letter of a word is looked for in a million rows. */
const typingPauseMs = 150;
/** Matches among rows that come by themselves are counted now and then. */
const growingPauseMs = 1000;

export interface FindBarOptions extends Omit<FinderOptions, 'changed'> {
  readonly labels: GridLabels;
  /** Heard when what is looked for is another, or nothing. */
  readonly queried: () => void;
  readonly giveBackFocus: () => void;
}

/** Where one types what to find: Enter goes to the next match, Shift+Enter to the one before, Escape closes. */
export class FindBar {
  readonly root = element('div', 'find');
  readonly #options: FindBarOptions;
  readonly #finder: Finder;
  readonly #input = element('input', 'field');
  readonly #outcome = element('span', 'outcome');
  /** Changes too often to be read out. */
  readonly #progress = element('progress');
  readonly #matchCase: HTMLButtonElement;
  readonly #steps: readonly HTMLButtonElement[];
  #timer: number | undefined;
  #growing: number | undefined;

  constructor(options: FindBarOptions) {
    this.#options = options;
    this.#finder = new Finder({ ...options, changed: state => this.#show(state) });
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
    const close = createPlainButton('×', () => this.close());
    close.title = labels.close;
    close.setAttribute('aria-label', labels.close);
    this.root.append(this.#input, this.#matchCase, this.#outcome, this.#progress, ...this.#steps, close);
    this.#input.addEventListener('input', () => this.#typed());
    this.root.addEventListener('keydown', event => this.#onKey(event));
    this.#show({ kind: 'idle' });
  }

  get isOpen(): boolean {
    return !this.root.hidden;
  }

  /** What is marked in the rows: what is looked for, while it is. */
  get query(): FindQuery | undefined {
    return this.isOpen ? this.#finder.query : undefined;
  }

  open(): void {
    this.root.hidden = false;
    this.#input.focus();
    this.#input.select();
    this.#look(true);
  }

  close(): void {
    this.dispose();
    this.root.hidden = true;
    this.#options.queried();
    this.#options.giveBackFocus();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#growing);
    this.#growing = undefined;
    this.#finder.stop();
  }

  /** Goes to the next match, or with nothing to find yet asks for it. */
  next(backwards: boolean): void {
    clearTimeout(this.#timer);
    this.#takeQuery();
    if (this.#finder.query.text === '') this.open();
    else void this.#finder.find({ backwards });
  }

  /** Rows stand elsewhere, or others are shown: what was counted of them counts no more. */
  again(): void {
    if (this.isOpen) void this.#finder.again();
  }

  /** Rows have come, which may match as well. A question under way is worth its answer nevertheless. */
  grown(): void {
    if (!this.isOpen || this.#finder.query.text === '') return;
    this.#growing ??= window.setTimeout(() => {
      this.#growing = undefined;
      if (this.#finder.isAsking) this.grown();
      else this.again();
    }, growingPauseMs);
  }

  /** How much of the rows was looked through, from 0 to 1. What is over soon needs no bar. */
  showProgress(done = 0): void {
    this.#progress.hidden = done === 0 || !this.#finder.isLooking;
    this.#progress.value = done;
  }

  #show(state: FindState): void {
    const { labels } = this.#options;
    if (state.kind !== 'looking') this.#progress.hidden = true;
    const none = state.kind === 'found' && state.count === 0;
    this.#outcome.textContent = sentenceOf(state, labels);
    this.root.classList.toggle('none', none);
    for (const step of this.#steps) step.disabled = none || state.kind === 'idle';
  }

  #typed(): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#look(true), typingPauseMs);
  }

  #toggleCase(): void {
    const pressed = this.#matchCase.getAttribute('aria-pressed') !== 'true';
    this.#matchCase.setAttribute('aria-pressed', String(pressed));
    this.#look(true);
  }

  #look(including: boolean): void {
    this.#takeQuery();
    void this.#finder.find({ including });
  }

  #takeQuery(): void {
    const matchCase = this.#matchCase.getAttribute('aria-pressed') === 'true';
    this.#finder.setQuery({ text: this.#input.value, matchCase });
    this.#options.queried();
  }

  #onKey(event: KeyboardEvent): void {
    const { key, shiftKey, target } = event;
    const typing = target === this.#input;
    if (key === 'Escape') this.close();
    else if (key === 'F3' || (key === 'Enter' && typing)) this.next(shiftKey);
    else if (key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey)) this.#input.select();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function sentenceOf(state: FindState, labels: GridLabels): string {
  switch (state.kind) {
    case 'idle':
    case 'failed':
      return '';
    case 'looking':
      return labels.looking;
    case 'found': {
      const count = state.count.toLocaleString(pageLanguage());
      if (state.count === 0) return labels.noMatch;
      return state.index === undefined
        ? fill(labels.matches, count)
        : fill(labels.matchOf, (state.index + 1).toLocaleString(pageLanguage()), count);
    }
  }
}
