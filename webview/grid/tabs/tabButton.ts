import { t } from '@vscode/l10n';
import { type Protection, protectionBadges, protectionNote } from '../../../src/protocol/projectFields.ts';
import { formatMoment } from '../../../src/base/timeOfDay.ts';
import type { TabView } from '../../../src/protocol/results.ts';
import { element, setAttribute, setText } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { icon } from '../../ui/icons.ts';
import { visibleText } from '../../ui/visibleText.ts';
import { countText } from '../resultTexts.ts';
import type { TabStripOptions } from './tabStrip.ts';

const middleButton = 1;

/** A tab: the project's color and protection, the title, the time of the run, the state, and the number of rows. */
export class TabButton {
  readonly root = element('div', 'tab', { role: 'tab', 'aria-keyshortcuts': 'Delete F2' });
  readonly #dot = element('span', 'dot', { 'aria-hidden': 'true' });
  readonly #protection = element('span', 'guard', { 'aria-hidden': 'true' });
  readonly #title = element('span', 'title');
  readonly #time = element('span', 'time');
  readonly #rows = element('span', 'count');
  readonly #pin = element('span', 'mark', { 'aria-hidden': 'true' });
  /** Delete closes a tab, because a screen reader cannot reach a button within a tab. */
  readonly #close = element('span', 'close', { 'aria-hidden': 'true' });

  constructor(runId: string, options: TabStripOptions) {
    this.root.id = `tab-${runId}`;
    this.root.setAttribute('aria-controls', options.panel.id);
    this.root.setAttribute('aria-description', t('Delete closes it, F2 renames it.'));
    this.#pin.append(icon('pin'));
    this.#close.append(icon('close'));
    this.root.append(this.#dot, this.#protection, this.#pin, this.#title, this.#time, this.#rows, this.#close);
    this.root.addEventListener('click', () => options.call('selectTab', runId));
    this.root.addEventListener('auxclick', event => event.button === middleButton && options.call('closeTab', runId));
    this.root.addEventListener('mousedown', event => event.button === middleButton && event.preventDefault());
    this.#close.addEventListener('click', event => {
      event.stopPropagation();
      options.call('closeTab', runId);
    });
  }

  /** `withSeconds` distinguishes tabs with the same title and minute. */
  show(tab: TabView, isActive: boolean, withSeconds: boolean): void {
    const title = visibleText(tab.title);
    const project = visibleText(tab.project);
    const protection = protectionNote(tab.protection);
    const time = timeOf(tab, withSeconds);
    const shownTime = tab.isRenamed ? '' : time;
    this.root.className = `tab ${tab.state}`;
    this.root.classList.toggle('pinned', tab.isPinned);
    this.root.tabIndex = isActive ? 0 : -1;
    this.root.setAttribute('aria-selected', String(isActive));
    this.root.dataset['vscodeContext'] = JSON.stringify({
      webviewSection: 'resultTab',
      runId: tab.runId,
      resultPinned: tab.isPinned,
      resultIsPlan: tab.isPlan,
      preventDefaultContextMenuItems: true,
    });
    this.#dot.hidden = tab.color === undefined;
    this.#dot.className = `dot ${tab.color ?? ''}`;
    this.#showProtection(tab.protection);
    this.#pin.hidden = !tab.isPinned;
    this.#close.title = t('Close {0}', title);
    setText(this.#title, title);
    // The style sheet shows these signs. The label has them in words.
    setAttribute(this.#time, 'data-sign', shownTime || undefined);
    const count = tab.rowCount === undefined ? undefined : countText(tab.rowCount, tab, pageLanguage());
    setAttribute(this.#rows, 'data-sign', count);
    const pinned = tab.isPinned ? t('pinned') : '';
    const name = [title, project, protection, stateTexts()[tab.state] ?? '', pinned, this.#rowsOf(tab), shownTime];
    this.root.setAttribute('aria-label', joined(name));
    const values = tab.values.map(value => visibleText(value));
    const lines = [
      joined([project, protection]),
      time === '' ? '' : t('Started at {0}', time),
      visibleText(tab.statement, { keepLines: true }),
      values.length === 0 ? '' : t('Values: {0}', values.join(', ')),
    ];
    this.root.title = lines.filter(line => line !== '').join('\n');
  }

  /** The mark has letters, because not everybody sees colors. The label and the tooltip explain the mark. */
  #showProtection(protection: Protection): void {
    this.#protection.hidden = protection === 'open';
    if (protection === 'open' || this.#protection.classList.contains(protection)) return;
    this.#protection.className = `guard protection ${protection}`;
    this.#protection.dataset['sign'] = protectionBadges[protection];
    this.#protection.replaceChildren(icon(protection));
  }

  #rowsOf(tab: TabView): string {
    if (tab.rowCount === undefined) return '';
    const count = countText(tab.rowCount, tab, pageLanguage());
    return count === '1' ? t('1 row') : t('{0} rows', count);
  }
}

/** The start of the run; '' if it is not known. */
export const timeOf = ({ startedAt }: TabView, withSeconds = false): string =>
  startedAt === undefined ? '' : formatMoment(startedAt, Date.now(), pageLanguage(), withSeconds);

const stateTexts = (): Partial<Record<TabView['state'], string>> => ({
  running: t('Running…'),
  paused: t('Paused'),
  failed: t('failed'),
});

const joined = (words: readonly string[]): string => words.filter(word => word !== '').join(', ');
