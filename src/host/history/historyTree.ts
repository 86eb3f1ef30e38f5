import { Debouncer } from '../../base/debouncer.ts';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { HistoryEntry } from '../../model/history/historyEntry.ts';
import type { History } from './history.ts';

export type HistoryNode =
  | { readonly kind: 'day'; readonly at: number; readonly entries: readonly HistoryEntry[] }
  | { readonly kind: 'entry'; readonly entry: HistoryEntry }
  | { readonly kind: 'showMore' }
  | { readonly kind: 'problem'; readonly message: string };

const pageLength = 100;
/** A script may add many entries at once. */
const refreshDelayMs = 200;

/** The entries by day, the newest first, page by page. */
export class HistoryTree implements Disposable {
  readonly #history: History;
  readonly #refresh: Debouncer;
  readonly #listener: Disposable;
  #shownCount = pageLength;
  #version: number | undefined;

  constructor(history: History, refresh: () => void) {
    this.#history = history;
    this.#refresh = new Debouncer({ run: refresh, delayMs: refreshDelayMs });
    this.#listener = history.onDidChange(() => this.#refresh.schedule());
  }

  async children(parent?: HistoryNode): Promise<HistoryNode[]> {
    if (parent) return parent.kind === 'day' ? parent.entries.map(entry => ({ kind: 'entry', entry })) : [];
    try {
      const { thread } = this.#history;
      // Read the version first: another window may write in between.
      const [version, entries] = await Promise.all([
        thread.call('version', {}),
        thread.call('page', { count: this.#shownCount + 1 }),
      ]);
      this.#version = version;
      const days = daysOf(entries.slice(0, this.#shownCount));
      return entries.length > this.#shownCount ? [...days, { kind: 'showMore' }] : days;
    } catch (thrown) {
      return [{ kind: 'problem', message: messageOf(thrown) }];
    }
  }

  showMore(): void {
    this.#shownCount += pageLength;
    this.#refresh.schedule();
  }

  async refreshIfChanged(): Promise<void> {
    const version = await this.#history.thread.call('version', {}).catch(() => this.#version);
    if (version !== this.#version) this.#refresh.schedule();
  }

  dispose(): void {
    this.#refresh.dispose();
    this.#listener.dispose();
  }
}

function daysOf(entries: readonly HistoryEntry[]): HistoryNode[] {
  const days = Map.groupBy(entries, ({ at }) => new Date(at).toDateString());
  return [...days.values()].map(list => ({ kind: 'day', at: list[0]!.at, entries: list }));
}
