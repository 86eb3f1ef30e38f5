import * as vscode from 'vscode';
import { canHaveProject } from '../connections/embeddedProject.ts';

/** A snapshot of an editor of SQL, or of a program with SQL in it. The user may move on to another editor while a command starts. */
export interface SqlEditor {
  readonly document: vscode.TextDocument;
  readonly selections: readonly vscode.Selection[];
}

export function activeSqlEditor(): SqlEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !canHaveProject(editor.document)) return undefined;
  const { document, selections } = editor;
  return { document, selections };
}
