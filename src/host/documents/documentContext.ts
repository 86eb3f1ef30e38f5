import * as vscode from 'vscode';

/**
 * Sets a context key to a set of documents, for conditions of the form `resourcePath in key`. It holds both spellings of a path:
 * with a remote extension host, the window may see the one and the host the other.
 */
export function setDocumentContext(key: string, documents: Iterable<string>): void {
  const uris = [...documents].map(name => vscode.Uri.parse(name, true));
  const paths = new Set(uris.flatMap(({ path, fsPath }) => [path, fsPath]));
  void vscode.commands.executeCommand('setContext', key, [...paths]);
}
