import * as vscode from 'vscode';

/** A snapshot of an SQL editor. The user may move on to another editor while a command starts. */
export interface SqlEditor {
  readonly document: vscode.TextDocument;
  readonly selections: readonly vscode.Selection[];
}

export function activeSqlEditor(): SqlEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'sql') return undefined;
  const { document, selections } = editor;
  return { document, selections };
}
