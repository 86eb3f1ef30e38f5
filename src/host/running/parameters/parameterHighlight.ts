import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { TextRange } from '../../../sql/text/textRange.ts';
import type { ParameterQuestion } from '../runPrompts.ts';

/** Highlights the `?` in the editor whose value the user enters. */
export class ParameterHighlight implements Disposable {
  readonly #statement: Pick<ParameterQuestion, 'sql' | 'start'>;
  readonly #decoration = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.findMatchBackground'),
    border: '1px solid',
    borderColor: new vscode.ThemeColor('focusBorder'),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });

  constructor(statement: Pick<ParameterQuestion, 'sql' | 'start'>) {
    this.#statement = statement;
  }

  /** `parameter` is the range of a `?` in the statement. */
  show(parameter: TextRange): void {
    const { sql, start } = this.#statement;
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      const rangeOf = (from: number, to: number): vscode.Range =>
        new vscode.Range(document.positionAt(start + from), document.positionAt(start + to));
      if (document.getText(rangeOf(0, sql.length)) !== sql) continue;
      const range = rangeOf(parameter.start, parameter.end);
      editor.setDecorations(this.#decoration, [range]);
      editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  dispose(): void {
    this.#decoration.dispose();
  }
}
