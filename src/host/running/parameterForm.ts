import * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import type { ParameterField } from '../../model/parameters/parameterFields.ts';
import { boundValue, type TypedValue, type ParameterType } from '../../model/parameters/parameterValues.ts';
import type { ParameterFormView } from '../../protocol/parameterForm.ts';
import type { ResultsView } from '../results/resultsView.ts';
import type { ParameterQuestion } from './runPrompts.ts';
import { beginningOf, oneLine } from '../../base/oneLine.ts';
import type { ParameterHint } from '../../sql/parameters/parameterHints.ts';
import { placeholders } from '../../sql/parameters/placeholders.ts';

/**
 * Asks for all values of a statement in one form. The form is a page of the results panel: VS Code's quick pick focuses its first
 * row with each key, so that text typed for another row would change it. Undefined when the user cancels.
 */
export async function promptForValues(
  form: ParameterQuestion,
  results: ResultsView,
): Promise<readonly TypedValue[] | undefined> {
  const { fields } = form;
  const id = randomUUID();
  const highlight = createHighlight();
  try {
    const panel = await results.panel();
    return await panel.promptForValues({
      view: () => formViewOf(form, id),
      onChange: fields.onHintsChanged,
      onFocus: index => highlightParameter(highlight, form, fields.at(index + 1).hint.number),
      faultsOf: values =>
        values.flatMap((value, index) =>
          boundValue(value) === undefined ? [{ index, message: typeHelps[value.type]() }] : [],
        ),
    });
  } finally {
    highlight.dispose();
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  }
}

export function formViewOf(form: ParameterQuestion, id: string): ParameterFormView {
  return {
    id,
    title: titleOf(form),
    fields: form.fields.all.map(field => fieldView(field, form.sql)),
    recent: form.recent.map(values => values.map(value => value ?? null)),
  };
}

function fieldView({ number, hint, value, type }: ParameterField, sql: string): ParameterFormView['fields'][number] {
  return {
    name: hint.positional ? `${number}. ${parameterName(hint)}` : namedLabel(sql.slice(hint.start, hint.end), hint),
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

const createHighlight = (): vscode.TextEditorDecorationType =>
  vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.findMatchBackground'),
    border: '1px solid',
    borderColor: new vscode.ThemeColor('focusBorder'),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });

/** Highlights the placeholders in the editor whose value the user enters. `number` is that of the value. */
function highlightParameter(
  highlight: vscode.TextEditorDecorationType,
  { sql, start }: ParameterQuestion,
  number: number,
): void {
  for (const editor of vscode.window.visibleTextEditors) {
    const { document } = editor;
    const rangeOf = (from: number, to: number): vscode.Range =>
      new vscode.Range(document.positionAt(start + from), document.positionAt(start + to));
    if (document.getText(rangeOf(0, sql.length)) !== sql) continue;
    const used = placeholders(sql).filter(placeholder => placeholder.number === number);
    const ranges = used.map(placeholder => rangeOf(placeholder.start, placeholder.end));
    editor.setDecorations(highlight, ranges);
    editor.revealRange(ranges[0]!, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

/** Shown when the text is not a value of the type. */
const typeHelps: Readonly<Record<ParameterType, () => string>> = {
  text: () => vscode.l10n.t('This text has an incomplete character (half of a surrogate pair).'),
  integer: () => vscode.l10n.t('Enter an integer: digits with or without a sign, at most 64 bits.'),
  real: () => vscode.l10n.t('Enter a number with a point and, if needed, an exponent, such as -1.5e3.'),
  boolean: () => vscode.l10n.t('Enter true or false.'),
  null: () => '',
};

/** The column that a parameter is compared with or written to, if its statement names it. */
function parameterName({ name, table }: ParameterHint): string {
  if (name === undefined) return vscode.l10n.t('parameter');
  return table === undefined ? name : `${table}.${name}`;
}

/** `:city (customers.city)`. */
const namedLabel = (name: string, hint: ParameterHint): string =>
  hint.type === undefined ? name : `${name} (${parameterName(hint)})`;

const lengthBefore = 40;
const lengthAfter = 20;

/** A placeholder and the text around it, on one line. */
export function parameterContext(sql: string, { start, end }: ParameterHint): string {
  // The text may begin with the second half of a character.
  const before = sql.slice(Math.max(0, start - lengthBefore), start).replace(/^[\uDC00-\uDFFF]/, '');
  const after = beginningOf(sql.slice(end), lengthAfter);
  const ellipsisBefore = start > lengthBefore ? '…' : '';
  const ellipsisAfter = end + lengthAfter < sql.length ? '…' : '';
  return oneLine(`${ellipsisBefore}${before}${sql.slice(start, end)}${after}${ellipsisAfter}`);
}
