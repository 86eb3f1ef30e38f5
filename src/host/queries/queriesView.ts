import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Lazy } from '../../base/lazy.ts';
import { views } from '../names.ts';
import type { Queries } from './queries.ts';
import type { QueryNode } from './queryTree.ts';

const dragType = `application/vnd.code.tree.${views.queries.toLowerCase()}`;

/** Registers the view. Its code is loaded, and folders are searched, when it is first open. */
export function registerQueriesView(queries: Lazy<Queries>, onDidChange: vscode.Event<void>): Disposable {
  const owned = new DisposableStore();
  const provider: vscode.TreeDataProvider<QueryNode> = {
    onDidChangeTreeData: onDidChange,
    getTreeItem: node => node,
    getParent: ({ parent }) => parent,
    getChildren: async node => {
      if (node) return node.children();
      const { nodes, message } = await (await queries()).tree.roots();
      view.message = message;
      return [...nodes];
    },
  };
  const view = owned.add(
    vscode.window.createTreeView(views.queries, {
      treeDataProvider: provider,
      showCollapseAll: true,
      dragAndDropController: {
        dragMimeTypes: [dragType, 'text/uri-list'],
        dropMimeTypes: [dragType],
        handleDrag: (nodes, transfer) => {
          transfer.set(dragType, new vscode.DataTransferItem(nodes));
          transfer.set('text/uri-list', new vscode.DataTransferItem(nodes.map(({ uri }) => uri).join('\r\n')));
        },
        handleDrop: async (target, transfer) => {
          const nodes = transfer.get(dragType)?.value as readonly QueryNode[] | undefined;
          if (target && nodes) await (await queries()).drop(nodes, target);
        },
      },
    }),
  );
  return owned;
}
