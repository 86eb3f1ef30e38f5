import { t } from '@vscode/l10n';
import { oneLine } from '../../../src/base/oneLine.ts';
import type { TabsEvent, TabView } from '../../../src/protocol/results.ts';
import { beforePaint, element, setAttribute } from '../../ui/element.ts';
import { icon } from '../../ui/icons.ts';
import { createMenuButton, type MenuItem } from '../../ui/menu.ts';
import { visibleText } from '../../ui/visibleText.ts';
import { TabButton, timeOf } from './tabButton.ts';

export interface TabStripOptions {
  readonly panel: HTMLElement;
  readonly call: (method: 'selectTab' | 'closeTab' | 'renameTab', runId: string) => void;
}

/** The tabs of the results panel. Arrow keys switch tabs, and Tab goes to the rows of the active one. */
export class TabStrip {
  readonly root = element('div', 'tabs', { role: 'tablist', 'aria-label': t('Results'), hidden: '' });
  /** Lists all tabs. Shown while some tabs are out of view. */
  readonly moreButton = createMenuButton(t('Show All Results'), icon('list'), () => this.#listItems());
  readonly #options: TabStripOptions;
  readonly #buttons = new Map<string, TabButton>();
  readonly #requestFit = beforePaint(() => this.#fit());
  #tabs: readonly TabView[] = [];
  #active: string | undefined;
  #revealedRunId: string | undefined;

  constructor(options: TabStripOptions) {
    this.#options = options;
    this.moreButton.classList.add('all-tabs');
    this.moreButton.hidden = true;
    this.root.addEventListener('keydown', event => this.#onKey(event));
    new ResizeObserver(() => this.#onResize()).observe(this.root);
  }

  show({ tabs, active }: TabsEvent): void {
    const focusedElement = document.activeElement;
    const hadFocus = this.root.contains(focusedElement);
    // Keys may be faster than the host. The focus moves only if it was on the active tab.
    const focusWasOnActive = focusedElement === this.#buttons.get(this.#active ?? '')?.root;
    this.#tabs = tabs;
    this.#active = active;
    this.root.hidden = tabs.length === 0;
    for (const [id, button] of this.#buttons) {
      if (tabs.some(({ runId }) => runId === id)) continue;
      button.root.remove();
      this.#buttons.delete(id);
    }
    for (const [index, tab] of tabs.entries()) this.#showTab(tab, index);
    const activeButton = this.#buttons.get(active ?? '');
    this.#namePanel(activeButton?.root.id);
    this.#requestFit();
    const hasLostFocus = hadFocus && !this.root.contains(document.activeElement);
    if (focusWasOnActive || hasLostFocus) activeButton?.root.focus();
  }

  #fit(): void {
    this.#updateMoreButton();
    if (this.#active !== this.#revealedRunId) this.#scrollToActive();
  }

  #onResize(): void {
    this.#updateMoreButton();
    this.#scrollToActive();
  }

  /** Shows the button if the tabs do not fit. They may use the width of strip and button: a shown button narrows the strip. */
  #updateMoreButton(): void {
    const { scrollWidth, clientWidth } = this.root;
    this.moreButton.hidden = this.root.hidden || scrollWidth <= clientWidth + this.moreButton.offsetWidth;
  }

  #listItems(): MenuItem[] {
    return this.#tabs.map(tab => ({
      label: listLabel(tab),
      checked: tab.runId === this.#active,
      run: () => this.#options.call('selectTab', tab.runId),
    }));
  }

  #scrollToActive(): void {
    this.#revealedRunId = this.#active;
    this.#buttons.get(this.#active ?? '')?.root.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  #namePanel(tabId: string | undefined): void {
    const { panel } = this.#options;
    setAttribute(panel, 'role', tabId && 'tabpanel');
    setAttribute(panel, 'aria-labelledby', tabId);
  }

  #showTab(tab: TabView, index: number): void {
    let button = this.#buttons.get(tab.runId);
    if (!button) {
      button = new TabButton(tab.runId, this.#options);
      this.#buttons.set(tab.runId, button);
    }
    const isLikeAnother = this.#tabs.some(other => other !== tab && labelOf(other) === labelOf(tab));
    button.show(tab, tab.runId === this.#active, isLikeAnother);
    const current = this.root.children[index] ?? null;
    if (current !== button.root) this.root.insertBefore(button.root, current);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const focusedIndex = this.#tabs.findIndex(({ runId }) => this.#buttons.get(runId)?.root === event.target);
    const index = focusedIndex === -1 ? this.#tabs.findIndex(({ runId }) => runId === this.#active) : focusedIndex;
    const run = index === -1 ? undefined : this.#commandOf(event.key, index);
    if (!run) return;
    event.preventDefault();
    run();
  }

  #commandOf(key: string, index: number): (() => void) | undefined {
    const { call } = this.#options;
    const { runId } = this.#tabs[index]!;
    const goTo = (target: number) => (): void => {
      const next = this.#tabs.at(target % this.#tabs.length)!.runId;
      this.#buttons.get(next)?.root.focus();
      call('selectTab', next);
    };
    const commands: Readonly<Record<string, () => void>> = {
      ArrowRight: goTo(index + 1),
      ArrowLeft: goTo(index - 1),
      Home: goTo(0),
      End: goTo(-1),
      Delete: () => call('closeTab', runId),
      F2: () => call('renameTab', runId),
    };
    return commands[key];
  }
}

const maxListedStatementLength = 80;

/** Has the statement, since tabs of one table differ by it alone. */
function listLabel(tab: TabView): string {
  const statement = oneLine(tab.statement, maxListedStatementLength);
  const title = statement.startsWith(tab.title.replace(/…$/, '')) ? '' : tab.title;
  const texts = [title, tab.isRenamed ? '' : timeOf(tab), statement].filter(text => text !== '');
  return texts.map(text => visibleText(text)).join(' · ');
}

const labelOf = (tab: TabView): string => `${tab.title} ${timeOf(tab)}`;
