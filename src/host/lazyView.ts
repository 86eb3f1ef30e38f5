import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { type Lazy, lazy } from '../base/lazy.ts';

/** The rows of a view. A node is what VS Code shows of it. */
export interface LazyTree<N extends vscode.TreeItem> extends Disposable {
  children(parent?: N): Promise<N[]>;
}

/** The view as its tree uses it. */
export interface ViewOfTree {
  /** The text beside the title. */
  description: string;
  /** Has VS Code fetch the rows again. */
  refresh(): void;
}

type MoveNodes<N> = (nodes: readonly N[], target: N) => Promise<void>;

/** A view whose tree is loaded when VS Code first shows it. */
export class LazyView<N extends vscode.TreeItem, T extends LazyTree<N>> extends DisposableStore implements ViewOfTree {
  readonly tree: Lazy<T>;
  readonly #changes = this.add(new vscode.EventEmitter<undefined>());
  readonly #view: vscode.TreeView<N>;

  /** `move` handles nodes that the user drags. */
  constructor(id: string, load: (view: ViewOfTree) => Promise<T>, move?: MoveNodes<N>) {
    super();
    this.tree = lazy(async () => this.add(await load(this)));
    const treeDataProvider: vscode.TreeDataProvider<N> = {
      onDidChangeTreeData: this.#changes.event,
      getTreeItem: node => node,
      getChildren: async node => (await this.tree()).children(node),
    };
    const dragAndDropController = move && movesOf(id, move);
    this.#view = this.add(
      vscode.window.createTreeView(id, {
        treeDataProvider,
        showCollapseAll: true,
        ...(dragAndDropController && { dragAndDropController }),
      }),
    );
  }

  refresh(): void {
    this.#changes.fire(undefined);
  }

  set description(text: string) {
    this.#view.description = text;
  }
}

/** VS Code itself opens a node that is dropped on an editor. */
function movesOf<N>(id: string, move: MoveNodes<N>): vscode.TreeDragAndDropController<N> {
  const type = `application/vnd.code.tree.${id.toLowerCase()}`;
  return {
    dragMimeTypes: [type],
    dropMimeTypes: [type],
    handleDrag: (nodes, transfer) => transfer.set(type, new vscode.DataTransferItem(nodes)),
    handleDrop: async (target, transfer) => {
      const nodes = transfer.get(type)?.value as readonly N[] | undefined;
      if (target && nodes) await move(nodes, target);
    },
  };
}
