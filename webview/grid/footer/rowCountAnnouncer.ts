import { t } from '@vscode/l10n';
import { Debouncer } from '../../../src/base/debouncer.ts';
import { element } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';

/** A screen reader that heard of each batch of rows would read nothing else. */
const announceIntervalMs = 5000;

/** Announces to a screen reader, at intervals, how many rows have arrived. */
export class RowCountAnnouncer {
  readonly root = element('div', 'live');
  readonly #announcer: Debouncer;
  #rowCount = 0;

  constructor() {
    this.root.setAttribute('aria-live', 'polite');
    this.#announcer = new Debouncer({
      run: () => {
        const count = this.#rowCount;
        this.root.textContent = count === 1 ? t('1 row') : t('{0} rows', count.toLocaleString(pageLanguage()));
      },
      delayMs: announceIntervalMs,
    });
  }

  show(rowCount: number, isRunning: boolean): void {
    // The header of the result announces the end.
    if (!isRunning) return this.dispose();
    if (rowCount === this.#rowCount) return;
    this.#rowCount = rowCount;
    this.#announcer.schedule();
  }

  dispose(): void {
    this.#announcer.cancel();
    this.root.textContent = '';
  }
}
