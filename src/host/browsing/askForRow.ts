import * as vscode from 'vscode';
import type { BrowseRun } from '../../model/browsing/browseRun.ts';

/** Asks for a row's number, counted from 1 as people do, and gives its place; undefined when there is none to go to. */
export async function askForRow(table: string, { hasEnd, rowCount }: BrowseRun): Promise<number | undefined> {
  const prompt = hasEnd
    ? vscode.l10n.t('A number from 1 to {0}', rowCount.toLocaleString(vscode.env.language))
    : vscode.l10n.t('A number from 1; where the table ends is not known yet');
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Go to Row of {0}', table),
    prompt,
    validateInput: written => (rowOf(written) === undefined ? prompt : undefined),
    // The page of the table takes the focus back when the palette closes, which may be after this has opened.
    ignoreFocusOut: true,
  });
  return text === undefined ? undefined : rowOf(text);
}

/** Numbers are often written in groups of digits. */
function rowOf(text: string): number | undefined {
  const number = Number(text.replaceAll(/[\s.,'’_]/g, '') || '0');
  return Number.isSafeInteger(number) && number >= 1 ? number - 1 : undefined;
}
