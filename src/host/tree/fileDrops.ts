import * as vscode from 'vscode';
import type { TreeNode } from './treeNodes.ts';

/** Imports the rows of a file into the table or project of a node. */
export type ImportFile = (node: TreeNode | undefined, file: vscode.Uri) => Promise<void>;

/** Files from VS Code's explorer and from the system arrive as a list of their addresses. */
const addressList = 'text/uri-list';

/** Imports a file that is dropped on a node of the tree. Nothing can be dragged out of it. */
export function fileDrops(importFile: ImportFile): vscode.TreeDragAndDropController<TreeNode> {
  return {
    dragMimeTypes: [],
    dropMimeTypes: [addressList],
    async handleDrop(node, dropped, token) {
      const text = (await dropped.get(addressList)?.asString()) ?? '';
      if (token.isCancellationRequested) return;
      // VS Code shows the drop as pending until it is handled, and an import takes long.
      void importAll(importFile, node, filesIn(text));
    },
  };
}

/** Several files are imported one after another, each with its own questions. */
async function importAll(importFile: ImportFile, node: TreeNode | undefined, files: readonly string[]): Promise<void> {
  for (const file of files) await importFile(node, vscode.Uri.parse(file, true));
}

/** The addresses in a list as of RFC 2483, where lines that begin with # are comments. */
const filesIn = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
