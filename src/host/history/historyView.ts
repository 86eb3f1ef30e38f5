import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { type Lazy, lazy } from '../../base/lazy.ts';
import { views } from '../names.ts';
import type { History } from './history.ts';
import type { HistoryNode } from './historyTree.ts';

/** Look for entries of other windows this often, while the view is visible. */
const pollMs = 2000;

/** The view of the history. Its code, and the history itself, are loaded when VS Code shows it. */
export class HistoryView implements vscode.TreeDataProvider<HistoryNode>, Disposable {
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<undefined>());
  readonly #tree;
  readonly #view: vscode.TreeView<HistoryNode>;
  #timer: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.#changes.event;

  constructor(history: Lazy<History>) {
    this.#tree = lazy(async () => {
      const [{ HistoryTree }, loaded] = await Promise.all([import('./historyTree.ts'), history()]);
      return this.#owned.add(new HistoryTree(loaded, () => this.#changes.fire(undefined)));
    });
    this.#view = this.#owned.add(
      vscode.window.createTreeView(views.history, { treeDataProvider: this, showCollapseAll: true }),
    );
    this.#owned.add(this.#view.onDidChangeVisibility(() => this.#poll()));
  }

  async getChildren(node?: HistoryNode): Promise<HistoryNode[]> {
    const tree = await this.#tree();
    this.#poll();
    return tree.children(node);
  }

  async getTreeItem(node: HistoryNode): Promise<vscode.TreeItem> {
    return (await import('./historyItems.ts')).historyItem(node);
  }

  async showMore(): Promise<void> {
    (await this.#tree()).showMore();
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#owned.dispose();
  }

  #poll(): void {
    clearInterval(this.#timer);
    if (!this.#view.visible) return;
    this.#timer = setInterval(() => void this.#tree().then(tree => tree.refreshIfChanged()), pollMs);
  }
}
