import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

/** Tells when a document goes on at another address: its file, or a folder above it, was renamed, or it was untitled and is saved. */
export function onDidMoveDocument(moved: (from: vscode.Uri, to: vscode.Uri) => void): Disposable {
  const owned = new DisposableStore();
  /** By the address of an untitled document, the file that has its text since it was saved. It is closed next. */
  const savedAs = new Map<string, vscode.Uri>();
  owned.add(
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) moved(oldUri, newUri);
    }),
  );
  owned.add(
    vscode.workspace.onDidSaveTextDocument(file => {
      const source = vscode.workspace.textDocuments.find(one => one.isUntitled && one.getText() === file.getText());
      if (source) savedAs.set(source.uri.toString(), file.uri);
    }),
  );
  owned.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      const file = savedAs.get(uri.toString());
      if (file) moved(uri, file);
      savedAs.delete(uri.toString());
    }),
  );
  return owned;
}
