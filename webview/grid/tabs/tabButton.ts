import { fill } from '../../../src/protocol/labels.ts';
import type { Protection } from '../../../src/protocol/projectFields.ts';
import type { TabView } from '../../../src/protocol/resultTabs.ts';
import { element, setText } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { icon } from '../../ui/icons.ts';
import { visibleText } from '../../ui/visibleText.ts';
import type { TabStripOptions } from './tabStrip.ts';

const middleButton = 1;

/** A tab: the project's colour and protection, the title, the state, and the number of rows. */
export class TabButton {
  readonly root = element('div', 'tab');
  readonly #options: TabStripOptions;
  readonly #dot = element('span', 'dot');
  readonly #protection = element('span', 'guard');
  readonly #title = element('span', 'title');
  readonly #rows = element('span', 'count');
  readonly #pin = element('span', 'mark');
  readonly #close = element('span', 'close');

  constructor(runId: string, options: TabStripOptions) {
    this.#options = options;
    this.root.id = `tab-${runId}`;
    this.root.setAttribute('role', 'tab');
    this.root.setAttribute('aria-controls', options.panel.id);
    this.root.setAttribute('aria-keyshortcuts', 'Delete F2');
    this.root.setAttribute('aria-description', options.labels.tabKeys);
    this.#pin.append(icon('pin'));
    this.#close.append(icon('close'));
    // Delete closes a tab. A screen reader cannot reach a button within a tab.
    for (const part of [this.#dot, this.#protection, this.#pin, this.#close]) part.setAttribute('aria-hidden', 'true');
    this.root.append(this.#dot, this.#protection, this.#pin, this.#title, this.#rows, this.#close);
    this.root.addEventListener('click', () => options.select(runId));
    this.root.addEventListener('auxclick', event => event.button === middleButton && options.close(runId));
    this.root.addEventListener('mousedown', event => event.button === middleButton && event.preventDefault());
    this.#close.addEventListener('click', event => {
      event.stopPropagation();
      options.close(runId);
    });
  }

  show(tab: TabView, isActive: boolean): void {
    const { labels } = this.#options;
    const title = visibleText(tab.title);
    const project = visibleText(tab.project);
    const protection = tab.protection === 'open' ? '' : labels[tab.protection];
    this.root.className = `tab ${tab.state}`;
    this.root.tabIndex = isActive ? 0 : -1;
    this.root.setAttribute('aria-selected', String(isActive));
    this.root.dataset['vscodeContext'] = JSON.stringify({
      webviewSection: 'resultTab',
      runId: tab.runId,
      resultPinned: tab.isPinned,
      preventDefaultContextMenuItems: true,
    });
    this.#dot.hidden = tab.color === undefined;
    this.#dot.className = `dot ${tab.color ?? ''}`;
    this.#showProtection(tab.protection);
    this.#pin.hidden = !tab.isPinned;
    this.#close.title = fill(labels.closeTab, title);
    setText(this.#title, title);
    setText(this.#rows, tab.rowCount?.toLocaleString(pageLanguage()) ?? '');
    const name = [title, project, protection, this.#stateOf(tab), tab.isPinned ? labels.pinned : '', this.#rowsOf(tab)];
    this.root.setAttribute('aria-label', joined(name));
    this.root.title = [joined([project, protection]), visibleText(tab.statement, { keepLines: true })].join('\n');
  }

  /** The mark has letters, because not everybody sees colours. The label and the tooltip explain it. */
  #showProtection(protection: Protection): void {
    this.#protection.hidden = protection === 'open';
    if (protection === 'open' || this.#protection.classList.contains(protection)) return;
    this.#protection.className = `guard protection ${protection}`;
    this.#protection.replaceChildren(icon(protection), this.#options.labels[`mark.${protection}`]);
  }

  #rowsOf({ rowCount }: TabView): string {
    const { labels } = this.#options;
    if (rowCount === undefined) return '';
    return rowCount === 1 ? labels.oneRow : fill(labels.rows, rowCount.toLocaleString(pageLanguage()));
  }

  #stateOf({ state }: TabView): string {
    const { labels } = this.#options;
    switch (state) {
      case 'running':
        return labels.running;
      case 'paused':
        return labels.paused;
      case 'failed':
        return labels.stateFailed;
      default:
        return '';
    }
  }
}

const joined = (words: readonly string[]): string => words.filter(word => word !== '').join(', ');
