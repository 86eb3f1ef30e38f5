import * as vscode from 'vscode';

/**
 * Tells VS Code of a set of documents, for conditions of the form `resourcePath in key`. Both spellings of a path are told: on
 * another machine's extension host a window may see the one and the host the other.
 */
export function setDocumentContext(key: string, documents: Iterable<string>): void {
  const uris = [...documents].map(name => vscode.Uri.parse(name, true));
  const paths = new Set(uris.flatMap(({ path, fsPath }) => [path, fsPath]));
  void vscode.commands.executeCommand('setContext', key, [...paths]);
}
