import * as vscode from 'vscode';
import { numberText } from '../numbers.ts';

interface RowPrompt {
  readonly title: string;
  readonly rowCount: number;
  /** Whether there are no more rows than these. */
  readonly hasEnd: boolean;
}

/** Asks for a row, which counts from 1, and gives its number, which counts from 0. Undefined if the user cancels. */
export async function promptForRow({ title, rowCount, hasEnd }: RowPrompt): Promise<number | undefined> {
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

/** The row of a number that counts from 1. Users may group its digits. */
function parseRow(text: string): number | undefined {
  const number = Number(text.replaceAll(/[\s.,'’_]/g, '') || '0');
  return Number.isSafeInteger(number) && number >= 1 ? number - 1 : undefined;
}
