import * as vscode from 'vscode';

/** The SQL editor that somebody is in, as it is in one moment: by the next, they may be in another one. */
export interface SqlEditor {
  readonly document: vscode.TextDocument;
  readonly selection: vscode.Selection;
}

export function activeSqlEditor(): SqlEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.languageId === 'sql' ? { document: editor.document, selection: editor.selection } : undefined;
}
