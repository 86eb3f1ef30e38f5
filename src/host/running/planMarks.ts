import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { PlanStepView } from '../../protocol/results.ts';
import type { SelectedStatement } from '../documents/selectedStatements.ts';

/** Marks the costliest steps of a plan in its statement, until the text of the document changes. */
export function markPlanSteps(
  document: vscode.TextDocument,
  { sql, start }: SelectedStatement,
  steps: readonly PlanStepView[],
): Disposable {
  const owned = new DisposableStore();
  // The document may have changed while the plan was loaded.
  if (!document.getText().startsWith(sql, start)) return owned;
  const color = new vscode.ThemeColor('editorWarning.foreground');
  const type = vscode.window.createTextEditorDecorationType({
    border: '1px dashed',
    borderColor: color,
    overviewRulerColor: color,
    overviewRulerLane: vscode.OverviewRulerLane.Center,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  owned.add(type);
  const marks = steps.flatMap(({ place, rank, words = '' }) => {
    if (!place || rank === undefined) return [];
    const from = document.positionAt(start + place.start);
    const to = document.positionAt(start + place.end);
    return [{ range: new vscode.Range(from, to), hoverMessage: new vscode.MarkdownString().appendText(words) }];
  });
  const show = (editors: readonly vscode.TextEditor[]): void => {
    for (const editor of editors) if (editor.document === document) editor.setDecorations(type, marks);
  };
  owned.add(vscode.window.onDidChangeVisibleTextEditors(show));
  owned.add(
    vscode.workspace.onDidChangeTextDocument(({ document: changed, contentChanges }) => {
      if (changed === document && contentChanges.length > 0) owned.dispose();
    }),
  );
  show(vscode.window.visibleTextEditors);
  return owned;
}
