import * as vscode from 'vscode';
import { numberText } from '../numbers.ts';

/**
 * The user enters a number from 1 on. Returns the number from 0 on, or undefined when the user cancels. `hasEnd` if the table or
 * result ends after these rows.
 */
export async function promptForRow(title: string, rowCount: number, hasEnd: boolean): Promise<number | undefined> {
  const prompt = hasEnd
    ? vscode.l10n.t('A number from 1 to {0}', numberText(rowCount))
    : vscode.l10n.t('A number from 1. The last row is not known yet.');
  const text = await vscode.window.showInputBox({
    title,
    prompt,
    validateInput: input => (parseRow(input) === undefined ? prompt : undefined),
    // When the command palette closes, the page takes the focus. The input must stay open then.
    ignoreFocusOut: true,
  });
  return text === undefined ? undefined : parseRow(text);
}

/** Users count rows from 1, and may group digits. */
function parseRow(text: string): number | undefined {
  const number = Number(text.replaceAll(/[\s.,'’_]/g, '') || '0');
  return Number.isSafeInteger(number) && number >= 1 ? number - 1 : undefined;
}
