import { unwatchFile, watchFile } from 'node:fs';
import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { DisposableStore, toDisposable } from '../../base/disposable.ts';
import { historyFile } from '../../model/history/historyFiles.ts';
import type { HistoryFilter } from '../../model/history/historyStore.ts';
import { errorMessage } from '../errorMessages.ts';
import type { LazyTree, ViewOfTree } from '../lazyView.ts';
import { commands } from '../names.ts';
import type { History } from './history.ts';
import { dayNode, entryNode, type HistoryNode } from './historyNodes.ts';

const pageLength = 100;
/** A script may add many entries at once, and a user may type fast. */
const refreshDelayMs = 100;
/** Look for entries of other windows this often. */
const pollMs = 2000;

/** The entries by day, the newest first, page by page. */
export class HistoryTree extends DisposableStore implements LazyTree<HistoryNode> {
  readonly #history: History;
  readonly #view: ViewOfTree;
  readonly #changes: Debouncer;
  #filter: HistoryFilter = {};
  #shownCount = pageLength;

  constructor(history: History, view: ViewOfTree) {
    super();
    this.#history = history;
    this.#view = view;
    this.#changes = this.add(new Debouncer({ run: () => view.refresh(), delayMs: refreshDelayMs }));
    const onChange = (): void => this.#changes.schedule();
    this.add(history.onDidChange(onChange));
    // All windows write to this file.
    const file = `${historyFile(history.folder)}-wal`;
    watchFile(file, { interval: pollMs, persistent: false }, onChange);
    this.add(toDisposable(() => unwatchFile(file, onChange)));
  }

  async children(parent?: HistoryNode): Promise<HistoryNode[]> {
    if (parent) return (parent.entries ?? []).map(entryNode);
    try {
      const entries = await this.#history.call('page', { count: this.#shownCount + 1, filter: this.#filter });
      const days = Map.groupBy(entries.slice(0, this.#shownCount), ({ at }) => new Date(at).toDateString());
      const nodes = [...days].map(([day, list]) => dayNode(day, list));
      return entries.length > this.#shownCount ? [...nodes, moreNode()] : nodes;
    } catch (thrown) {
      return [{ label: errorMessage(thrown), iconPath: new vscode.ThemeIcon('warning') }];
    }
  }

  /** Shows only these entries, and says so in the title. */
  show(filter: HistoryFilter, description: string): void {
    this.#filter = filter;
    this.#shownCount = pageLength;
    this.#view.description = description;
    this.#changes.schedule();
  }

  showMore(): void {
    this.#shownCount += pageLength;
    this.#view.refresh();
  }
}

function moreNode(): HistoryNode {
  const label = vscode.l10n.t('Show More');
  return {
    label,
    iconPath: new vscode.ThemeIcon('ellipsis'),
    command: { command: commands.showMoreHistory, title: label },
  };
}
