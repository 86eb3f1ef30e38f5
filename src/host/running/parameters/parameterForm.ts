import * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import type { ParameterField } from '../../../model/parameters/parameterFields.ts';
import { boundValue, type TypedValue } from '../../../model/parameters/parameterValues.ts';
import type { ParameterFormView } from '../../../protocol/parameterForm.ts';
import type { ResultsView } from '../../results/resultsView.ts';
import type { ParameterQuestion } from '../runPrompts.ts';
import { parameterContext, parameterName, typeHelp } from './parameterLabels.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { TextRange } from '../../../sql/text/textRange.ts';

/**
 * Asks for all values of a statement in one form. It is a page of the results panel: VS Code's quick pick focuses its first row
 * with each key, so that text typed for another row would change it. Undefined when the user cancels.
 */
export async function promptForValues(
  form: ParameterQuestion,
  results: Pick<ResultsView, 'promptForValues'>,
): Promise<readonly TypedValue[] | undefined> {
  const { fields } = form;
  const id = randomUUID();
  const highlight = new ParameterHighlight(form);
  try {
    return await results.promptForValues({
      view: () => viewOf(form, id),
      onChange: fields.onHintsChanged,
      onFocus: index => highlight.show(fields.at(index + 1).hint),
      faultsOf: values =>
        values.flatMap((value, index) =>
          boundValue(value) === undefined ? [{ index, message: typeHelp(value.type) }] : [],
        ),
    });
  } finally {
    highlight.dispose();
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  }
}

/** The form as its page sees it. */
export function viewOf(form: ParameterQuestion, id: string): ParameterFormView {
  return {
    id,
    title: titleOf(form),
    fields: form.fields.all.map(field => fieldView(field, form.sql)),
    recent: form.recent.map(values => values.map(value => value ?? null)),
  };
}

function fieldView({ number, hint, value, type }: ParameterField, sql: string): ParameterFormView['fields'][number] {
  return {
    name: `${number}. ${parameterName(hint)}`,
    context: parameterContext(sql, hint),
    type,
    hasColumnType: hint.type !== undefined,
    value: value ?? null,
  };
}

function titleOf({ profile, number, totalCount }: ParameterQuestion): string {
  return totalCount === 1
    ? vscode.l10n.t('Parameters of the statement in {0}', profile.name)
    : vscode.l10n.t('Parameters of statement {0} of {1} in {2}', number, totalCount, profile.name);
}

/** Highlights the `?` in the editor whose value the user enters. */
class ParameterHighlight implements Disposable {
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
