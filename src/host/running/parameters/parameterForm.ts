import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { ParameterField } from '../../../model/parameters/parameterFields.ts';
import { boundValue, type TypedValue } from '../../../model/parameters/parameterValues.ts';
import type { ParameterFormView } from '../../../protocol/parameterForm.ts';
import type { ResultsView } from '../../results/resultsView.ts';
import type { ParameterQuestion } from '../runPrompts.ts';
import { ParameterHighlight } from './parameterHighlight.ts';
import { parameterContext, parameterName, typeHelp } from './parameterLabels.ts';

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
