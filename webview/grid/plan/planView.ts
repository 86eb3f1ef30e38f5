import { t } from '@vscode/l10n';
import type { PlanStepView, ProvenIndexView, ResultView } from '../../../src/protocol/results.ts';
import { element } from '../../ui/element.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { type IconName, icon } from '../../ui/icons.ts';
import { takeKey } from '../../ui/keys.ts';
import { visibleText } from '../../ui/visibleText.ts';
import './planView.css';

const icons: Readonly<Record<PlanStepView['step'], IconName>> = {
  scan: 'scan',
  search: 'find',
  sort: 'sort',
  other: 'step',
};

const indentPixels = 16;
const paddingPixels = 12;

interface PlanActions {
  readonly copy: () => void;
  readonly createIndex: (index: number) => void;
  /** Selects the place of a step in the statement. */
  readonly goTo: (index: number) => void;
}

/**
 * The costliest steps of a query plan, and below them all steps as a tree. Arrow keys move between the steps of the tree, Enter and a
 * click select the place of a step in the statement, and Ctrl+C copies the plan.
 */
export class PlanView {
  readonly root = element('div', 'plan', { hidden: '' });
  readonly #costliest = element('ol', 'plan-costs', { 'aria-label': t('Costliest steps') });
  readonly #indexes = element('div', 'plan-indexes');
  readonly #tree = element('div', '', { role: 'tree', 'aria-label': t('Query plan') });
  readonly #actions: PlanActions;
  #shownRun: string | undefined;
  /** Whether the statement is in a document. */
  #hasStatement = false;
  #items: readonly HTMLElement[] = [];
  #shownIndexes = '';

  constructor(actions: PlanActions) {
    this.#actions = actions;
    this.root.append(this.#costliest, this.#indexes, this.#tree);
    this.root.addEventListener('keydown', event => this.#onKey(event));
  }

  show(view: ResultView | null): void {
    const steps = view?.plan ?? [];
    this.root.hidden = steps.length === 0;
    this.#showIndexes(steps, view?.provenIndexes ?? [], view?.unusedIndexes ?? []);
    if (view?.runId === this.#shownRun) return;
    this.#shownRun = view?.runId;
    this.#hasStatement = view?.actions.includes('goToStatement') ?? false;
    this.#showCostliest(steps);
    this.#items = steps.map((step, index) => this.#itemOf(step, index));
    const [first] = this.#items;
    if (first) first.tabIndex = 0;
    this.#tree.replaceChildren(...this.#items);
  }

  focus(): void {
    this.#items.find(({ tabIndex }) => tabIndex === 0)?.focus();
  }

  /** A single step needs no list. */
  #showCostliest(steps: readonly PlanStepView[]): void {
    const ranked = steps
      .flatMap(({ rank, words = '', place }, index) => (rank === undefined ? [] : [{ rank, words, place, index }]))
      .toSorted((one, other) => one.rank - other.rank);
    const rows = ranked.map(({ words, place, index }) => {
      const text = visibleText(words);
      return element('li', '', [
        place && this.#hasStatement ? createPlainButton(text, () => this.#actions.goTo(index)) : text,
      ]);
    });
    this.#costliest.hidden = steps.length < 2 || rows.length === 0;
    this.#costliest.replaceChildren(...rows);
  }

  /** The present plan and that with each index stand side by side. */
  #showIndexes(steps: readonly PlanStepView[], indexes: readonly ProvenIndexView[], unused: readonly string[]): void {
    const key = JSON.stringify([indexes, unused]);
    if (key === this.#shownIndexes) return;
    this.#shownIndexes = key;
    const offers = indexes.map(({ sql, plan }, index) => {
      const text = visibleText(sql);
      const create = createPlainButton(t('Create Index'), () => this.#actions.createIndex(index));
      const sides = element('div', 'plan-sides', [
        planSide(t('Now'), steps, plan),
        planSide(t('With the Index'), plan, steps),
      ]);
      const offer = element('section', '', [
        element('p', '', [t('SQLite would use this index:'), ' ', element('code', '', text), ' ', create]),
        sides,
      ]);
      offer.setAttribute('aria-label', text);
      return offer;
    });
    const reasons = unused.map(text => element('p', '', visibleText(text)));
    this.#indexes.replaceChildren(...reasons, ...offers);
  }

  #itemOf({ detail, step, depth, words, place }: PlanStepView, index: number): HTMLElement {
    const text = visibleText(detail);
    const meaning = visibleText(words ?? '');
    const label = meaning === '' ? text : `${text}. ${meaning}`;
    const attributes = { role: 'treeitem', 'aria-level': String(depth + 1), 'aria-label': label, tabindex: '-1' };
    const item = element('div', `plan-step ${step}`, attributes);
    item.style.paddingLeft = `${paddingPixels + depth * indentPixels}px`;
    item.append(icon(icons[step]), element('span', 'detail', text), ' ', element('span', 'meaning', meaning));
    item.addEventListener('click', () => {
      this.#focusItem(item);
      if (place && this.#hasStatement) this.#actions.goTo(index);
    });
    return item;
  }

  #focusItem(item: HTMLElement): void {
    for (const other of this.#items) other.tabIndex = other === item ? 0 : -1;
    item.focus();
  }

  #onKey(event: KeyboardEvent): void {
    const target = this.#targetOf(event.key);
    const isCopy = event.key.toLowerCase() === 'c' && (event.ctrlKey || event.metaKey);
    const active = this.#items.find(item => item === document.activeElement);
    if (active && event.key === 'Enter') active.click();
    else if (active && target) this.#focusItem(target);
    else if (isCopy) this.#actions.copy();
    else return;
    takeKey(event);
  }

  #targetOf(key: string): HTMLElement | undefined {
    const index = this.#items.findIndex(item => item === document.activeElement);
    if (key === 'ArrowDown') return this.#items[Math.min(index + 1, this.#items.length - 1)];
    if (key === 'ArrowUp') return this.#items[Math.max(index - 1, 0)];
    if (key === 'Home') return this.#items[0];
    return key === 'End' ? this.#items.at(-1) : undefined;
  }
}

/** The lines of a plan. Lines that the other plan lacks stand out. */
function planSide(title: string, steps: readonly PlanStepView[], other: readonly PlanStepView[]): HTMLElement {
  const lines = steps.map(({ detail, depth }) => {
    const isShared = other.some(step => step.detail === detail);
    const line = element('li', isShared ? '' : 'changed', visibleText(detail));
    line.style.paddingLeft = `${depth * indentPixels}px`;
    return line;
  });
  return element('div', '', [element('h2', '', title), element('ul', '', lines)]);
}
