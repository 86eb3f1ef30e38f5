import * as vscode from 'vscode';
import { monotonicClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { SavedDocuments } from '../../model/savedDocuments.ts';

/** Tells when a document goes on at another address: its file, or a folder above it, was renamed, or it was untitled and is saved. */
export function onDidMoveDocument(moved: (from: vscode.Uri, to: vscode.Uri) => void): Disposable {
  const owned = new DisposableStore();
  const saved = new SavedDocuments<vscode.TextDocument>(monotonicClock);
  owned.add(
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) moved(oldUri, newUri);
    }),
  );
  owned.add(vscode.workspace.onDidOpenTextDocument(document => saved.opened(document)));
  owned.add(vscode.workspace.onDidSaveTextDocument(file => saved.saved(file, vscode.workspace.textDocuments)));
  owned.add(
    vscode.workspace.onDidCloseTextDocument(document => {
      const file = saved.closed(document);
      if (file) moved(document.uri, file.uri);
    }),
  );
  return owned;
}
