import { t } from '@vscode/l10n';
import type { PlanStepView, ResultView } from '../../../src/protocol/results.ts';
import { element } from '../../ui/element.ts';
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

const stepTexts = (): Record<PlanStepView['step'], string> => ({
  scan: t('Reads every row'),
  search: t('Finds rows by an index or the primary key'),
  sort: t('Sorts rows in a temporary table'),
  other: '',
});

const indentPixels = 16;
const paddingPixels = 12;

/** The steps of a query plan as a tree. Arrow keys move between them, and Ctrl+C copies the plan. */
export class PlanView {
  readonly root = element('div', 'plan', { role: 'tree', 'aria-label': t('Query plan') });
  readonly #copy: () => void;
  #shownRun: string | undefined;
  #items: readonly HTMLElement[] = [];

  constructor(copy: () => void) {
    this.#copy = copy;
    this.root.hidden = true;
    this.root.addEventListener('keydown', event => this.#onKey(event));
  }

  show(view: ResultView | null): void {
    const steps = view?.plan ?? [];
    this.root.hidden = steps.length === 0;
    if (view?.runId === this.#shownRun) return;
    this.#shownRun = view?.runId;
    this.#items = steps.map(step => this.#itemOf(step));
    const [first] = this.#items;
    if (first) first.tabIndex = 0;
    this.root.replaceChildren(...this.#items);
  }

  focus(): void {
    this.#items.find(({ tabIndex }) => tabIndex === 0)?.focus();
  }

  #itemOf({ detail, step, depth }: PlanStepView): HTMLElement {
    const text = visibleText(detail);
    const meaning = stepTexts()[step];
    const label = meaning === '' ? text : `${text}. ${meaning}`;
    const attributes = { role: 'treeitem', 'aria-level': String(depth + 1), 'aria-label': label };
    const item = element('div', `plan-step ${step}`, attributes);
    item.tabIndex = -1;
    item.style.paddingLeft = `${paddingPixels + depth * indentPixels}px`;
    item.append(icon(icons[step]), element('span', 'detail', text), ' ', element('span', 'meaning', meaning));
    item.addEventListener('click', () => this.#focusItem(item));
    return item;
  }

  #focusItem(item: HTMLElement): void {
    for (const other of this.#items) other.tabIndex = other === item ? 0 : -1;
    item.focus();
  }

  #onKey(event: KeyboardEvent): void {
    const target = this.#targetOf(event.key);
    const isCopy = event.key.toLowerCase() === 'c' && (event.ctrlKey || event.metaKey);
    if (target) this.#focusItem(target);
    else if (isCopy) this.#copy();
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
