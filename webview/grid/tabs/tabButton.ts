import { fill } from '../../../src/protocol/labels.ts';
import type { TabView } from '../../../src/protocol/resultTabs.ts';
import type { Protection } from '../../../src/protocol/projectFields.ts';
import { element } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { icon } from '../../ui/icons.ts';
import type { TabStripOptions } from './tabStrip.ts';

/** One tab: the project's colour and how it is protected, the title, what became of it, and how many rows there are. */
export class TabButton {
  readonly root = element('div', 'tab');
  readonly #options: TabStripOptions;
  readonly #dot = element('span', 'dot');
  readonly #guard = element('span', 'guard');
  readonly #title = element('span', 'title');
  readonly #rows = element('span', 'count');
  readonly #pinned = element('span', 'mark');
  readonly #close = element('span', 'close');

  constructor(runId: string, options: TabStripOptions) {
    this.#options = options;
    this.root.id = `tab-${runId}`;
    this.root.setAttribute('role', 'tab');
    this.root.setAttribute('aria-controls', options.panel.id);
    this.root.setAttribute('aria-keyshortcuts', 'Delete F2');
    this.root.setAttribute('aria-description', options.labels.tabKeys);
    this.#pinned.append(icon('pin'));
    this.#close.append(icon('close'));
    // The keyboard closes by Delete: a button within a tab is nothing that a screen reader could reach.
    for (const mark of [this.#dot, this.#guard, this.#pinned, this.#close]) mark.setAttribute('aria-hidden', 'true');
    this.root.append(this.#dot, this.#guard, this.#pinned, this.#title, this.#rows, this.#close);
    this.root.addEventListener('click', () => options.select(runId));
    this.root.addEventListener('auxclick', event => event.button === 1 && options.close(runId));
    this.root.addEventListener('mousedown', event => event.button === 1 && event.preventDefault());
    this.#close.addEventListener('click', event => {
      event.stopPropagation();
      options.close(runId);
    });
  }

  show(tab: TabView, isActive: boolean): void {
    const { labels } = this.#options;
    this.root.className = `tab ${tab.state}`;
    this.root.tabIndex = isActive ? 0 : -1;
    this.root.setAttribute('aria-selected', String(isActive));
    this.root.dataset['vscodeContext'] = JSON.stringify({
      ...{ webviewSection: 'resultTab', runId: tab.runId, resultPinned: tab.isPinned },
      preventDefaultContextMenuItems: true,
    });
    this.#dot.hidden = tab.color === undefined;
    this.#dot.className = `dot ${tab.color ?? ''}`;
    this.#showGuard(tab.protection);
    this.#pinned.hidden = !tab.isPinned;
    this.#close.title = fill(labels.closeTab, tab.title);
    const rows = tab.rowCount?.toLocaleString(pageLanguage()) ?? '';
    if (this.#title.textContent !== tab.title) this.#title.textContent = tab.title;
    if (this.#rows.textContent !== rows) this.#rows.textContent = rows;
    const guard = tab.protection === 'open' ? '' : labels[tab.protection];
    const words = [
      tab.title,
      tab.project,
      guard,
      this.#stateOf(tab),
      tab.isPinned ? labels.pinned : '',
      this.#rowsOf(tab),
    ];
    this.root.setAttribute('aria-label', words.filter(word => word !== '').join(', '));
    const project = [tab.project, guard].filter(word => word !== '').join(', ');
    this.root.title = [project, tab.statement].join('\n');
  }

  /** A mark with letters, since not everybody tells colours apart. What they mean is said by the label and the title. */
  #showGuard(protection: Protection): void {
    this.#guard.hidden = protection === 'open';
    if (protection === 'open' || this.#guard.classList.contains(protection)) return;
    this.#guard.className = `guard protection ${protection}`;
    this.#guard.replaceChildren(icon(protection), this.#options.labels[`mark.${protection}`]);
  }

  #rowsOf({ rowCount }: TabView): string {
    const { labels } = this.#options;
    if (rowCount === undefined) return '';
    return rowCount === 1 ? labels.oneRow : fill(labels.rows, rowCount.toLocaleString(pageLanguage()));
  }

  #stateOf({ state }: TabView): string {
    const { labels } = this.#options;
    const words = { running: labels.running, paused: labels.paused, failed: labels.stateFailed };
    return state in words ? words[state as keyof typeof words] : '';
  }
}
