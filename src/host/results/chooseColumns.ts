import * as vscode from 'vscode';
import type { Run } from '../../model/results/run.ts';
import { withoutIcons } from '../notifications.ts';

export interface ColumnsChoice {
  /** All that can be chosen, by their numbers, in the order in which they stand. */
  readonly columns: readonly number[];
  /** Those that are shown now. */
  readonly shown: readonly number[];
}

/** Asks which columns are to be shown; undefined when they are to stay as they are. */
export async function chooseColumns(run: Run, { columns, shown }: ColumnsChoice): Promise<number[] | undefined> {
  const picked = new Set(shown);
  const items = columns.flatMap(column => {
    const { name, type } = run.columns[column] ?? {};
    if (name === undefined) return [];
    return [{ label: withoutIcons(name), description: withoutIcons(type ?? ''), picked: picked.has(column), column }];
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Choose the columns to show'),
    placeHolder: vscode.l10n.t('At least one stays'),
    canPickMany: true,
    matchOnDescription: true,
    // So that what has the focus afterwards is what asked.
    ignoreFocusOut: true,
  });
  return chosen && chosen.length > 0 ? chosen.map(({ column }) => column) : undefined;
}
