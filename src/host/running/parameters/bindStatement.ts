import * as vscode from 'vscode';
import { assertNever } from '../../../base/assertNever.ts';
import { type LineValues, valuesOfLine } from '../../../model/parameters/parameterLine.ts';
import type { ParameterMemory } from '../../../model/parameters/parameterMemory.ts';
import type { ColumnsOf } from '../../../sql/parameters/parameterHints.ts';
import { placeholders } from '../../../sql/parameters/placeholders.ts';
import type { SqlParameter } from '../../../wire/values.ts';
import { showError } from '../../notifications.ts';
import type { SelectedStatement } from '../../documents/selectedStatements.ts';
import { askForValues } from './parameterForm.ts';

export interface Binding {
  readonly memory: ParameterMemory;
  /** What the form is for: the project, and which statement of a script. */
  readonly title: string;
  /** Tells of the columns that a statement can mean, whenever more of them are known. */
  readonly learnColumns: (sql: string, learn: (columns: ColumnsOf) => void) => void;
}

/** The values for the `?` of a statement, from the line above it or from the user; undefined when there shall be no run. */
export async function valuesFor(
  { sql, paramsJson }: SelectedStatement,
  { memory, title, learnColumns }: Binding,
): Promise<readonly SqlParameter[] | undefined> {
  if (complainOfNames(sql)) return undefined;
  const marks = placeholders(sql);
  if (paramsJson !== undefined) {
    const values = valuesOfLine(paramsJson, marks.length);
    if (values.kind === 'values') return values.values;
    void showError(vscode.l10n.t('{0} Nothing was run.', sentenceForLine(values, marks.length)));
    return undefined;
  }
  if (marks.length === 0) return [];
  return askForValues({ sql, memory, title, learnColumns: learn => learnColumns(sql, learn) });
}

/** Says of parameters with names or numbers that the service does not take them. False when there are none. */
export function complainOfNames(sql: string): boolean {
  const odd = placeholders(sql).find(({ positional }) => !positional);
  if (!odd) return false;
  const name = sql.slice(odd.start, odd.end);
  void showError(
    vscode.l10n.t(
      'The service takes plain ? as parameters, in their order, and no {0}. Write ? in its place. Nothing was run.',
      name,
    ),
  );
  return true;
}

function sentenceForLine(fault: Exclude<LineValues, { kind: 'values' }>, count: number): string {
  switch (fault.kind) {
    case 'notJson':
    case 'notList':
      return vscode.l10n.t('The line -- @params above this statement must hold a JSON list, such as [1, "x"].');
    case 'wrongCount':
      return vscode.l10n.t(
        'The line -- @params must hold as many values as the statement below it has parameters, {0}. It holds {1}.',
        count,
        fault.given,
      );
    case 'wrongValue':
      return vscode.l10n.t(
        'Value {0} of the line -- @params cannot be bound: it must be null, true, false, a text, or a number of at most 64 bits.',
        fault.place,
      );
    default:
      return assertNever(fault);
  }
}
