import type { GridLabels } from '../../../src/protocol/labels.ts';
import type { TabsEvent, TabView } from '../../../src/protocol/resultTabs.ts';
import { element } from '../../ui/element.ts';
import { TabButton } from './tabButton.ts';

export interface TabStripOptions {
  readonly labels: GridLabels;
  /** The element that shows the result in front. */
  readonly panel: HTMLElement;
  readonly select: (runId: string) => void;
  readonly close: (runId: string) => void;
  readonly rename: (runId: string) => void;
}

/** The results that one can choose from. Arrows go from one to the next and show it; Tab leads to its rows. */
export class TabStrip {
  readonly root = element('div', 'tabs');
  readonly #options: TabStripOptions;
  readonly #buttons = new Map<string, TabButton>();
  #tabs: readonly TabView[] = [];
  #active: string | undefined;

  constructor(options: TabStripOptions) {
    this.#options = options;
    this.root.setAttribute('role', 'tablist');
    this.root.setAttribute('aria-label', options.labels.tabs);
    this.root.hidden = true;
    this.root.addEventListener('keydown', event => this.#onKey(event));
    new ResizeObserver(() => this.#showFront()).observe(this.root);
  }

  show({ tabs, active }: TabsEvent): void {
    const focused = document.activeElement;
    const hadFocus = this.root.contains(focused);
    // Keys may be faster than the host: a tab that they went on to keeps the focus until it is in front.
    const follows = focused === this.#buttons.get(this.#active ?? '')?.root;
    const moved = active !== this.#active;
    this.#tabs = tabs;
    this.#active = active;
    this.root.hidden = tabs.length === 0;
    for (const [id, button] of this.#buttons) {
      if (tabs.some(({ runId }) => runId === id)) continue;
      button.root.remove();
      this.#buttons.delete(id);
    }
    for (const [place, tab] of tabs.entries()) this.#place(tab, place);
    const front = this.#buttons.get(active ?? '');
    this.#namePanel(front?.root.id);
    if (moved) this.#showFront();
    const lost = hadFocus && !this.root.contains(document.activeElement);
    if (follows || lost) front?.root.focus();
  }

  #showFront(): void {
    this.#buttons.get(this.#active ?? '')?.root.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  #namePanel(tabId: string | undefined): void {
    const { panel } = this.#options;
    if (tabId === undefined) {
      panel.removeAttribute('role');
      panel.removeAttribute('aria-labelledby');
    } else {
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', tabId);
    }
  }

  #place(tab: TabView, place: number): void {
    let button = this.#buttons.get(tab.runId);
    if (!button) {
      button = new TabButton(tab.runId, this.#options);
      this.#buttons.set(tab.runId, button);
    }
    button.show(tab, tab.runId === this.#active);
    if (this.root.children[place] !== button.root)
      this.root.insertBefore(button.root, this.root.children[place] ?? null);
  }

  #onKey(event: KeyboardEvent): void {
    const focused = this.#tabs.findIndex(({ runId }) => this.#buttons.get(runId)?.root === event.target);
    const at = focused === -1 ? this.#tabs.findIndex(({ runId }) => runId === this.#active) : focused;
    const target =
      at === -1 || event.ctrlKey || event.metaKey || event.altKey ? undefined : this.#targetOf(event.key, at);
    if (!target) return;
    event.preventDefault();
    target();
  }

  #targetOf(key: string, at: number): (() => void) | undefined {
    const { select, close, rename } = this.#options;
    const { runId } = this.#tabs[at]!;
    const to = (place: number) => (): void => {
      const next = this.#tabs.at(place % this.#tabs.length)!.runId;
      this.#buttons.get(next)?.root.focus();
      select(next);
    };
    switch (key) {
      case 'ArrowRight':
        return to(at + 1);
      case 'ArrowLeft':
        return to(at - 1);
      case 'Home':
        return to(0);
      case 'End':
        return to(-1);
      case 'Delete':
        return () => close(runId);
      case 'F2':
        return () => rename(runId);
      default:
        return undefined;
    }
  }
}
