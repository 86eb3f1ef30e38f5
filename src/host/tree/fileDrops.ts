import * as vscode from 'vscode';
import type { TreeNode } from './treeNodes.ts';

type ImportCopy = (node: TreeNode | undefined) => Promise<void>;

export interface DropImports {
  importFile(node: TreeNode | undefined, file: vscode.Uri): Promise<void>;
  /** Writes a file that only the browser has to this machine. Undefined if that fails; a message says so. */
  copyFile(file: vscode.DataTransferFile): Promise<ImportCopy | undefined>;
}

/** Files of VS Code's explorer, and of the system if VS Code is not in a browser, arrive as a list of their addresses. */
const addressList = 'text/uri-list';
/** Stands for files of any type. In a browser, files of the system arrive with their content. */
const anyFiles = 'files';

/** Imports a file that is dropped on a node of the tree. Nothing can be dragged out of it. */
export function fileDrops(imports: DropImports): vscode.TreeDragAndDropController<TreeNode> {
  return {
    dragMimeTypes: [],
    dropMimeTypes: [addressList, anyFiles],
    async handleDrop(node, dropped, token) {
      const text = (await dropped.get(addressList)?.asString()) ?? '';
      if (token.isCancellationRequested) return;
      const files = filesIn(text);
      // VS Code forgets the content when the drop is handled.
      const copies = files.length === 0 ? await copyAll(imports, dropped) : [];
      // One file after another: each import asks its own questions.
      const importAll = async (): Promise<void> => {
        for (const file of files) await imports.importFile(node, vscode.Uri.parse(file, true));
        for (const importCopy of copies) await importCopy(node);
      };
      // VS Code shows the drop as pending until it is handled, and an import takes long.
      void importAll();
    },
  };
}

/** Copies files one after another: VS Code gives the content of each as a whole. */
async function copyAll(imports: DropImports, dropped: vscode.DataTransfer): Promise<ImportCopy[]> {
  const files = [...dropped].map(([, item]) => item.asFile()).filter(file => file !== undefined);
  const copies: ImportCopy[] = [];
  for (const file of files) {
    const importCopy = await imports.copyFile(file);
    if (importCopy) copies.push(importCopy);
  }
  return copies;
}

/** The addresses in a list as of RFC 2483. Its other lines are comments, which begin with #, or no addresses. */
const filesIn = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => /^[a-z][a-z\d+.-]*:/i.test(line));
