import * as vscode from 'vscode';
import { warn } from '../notifications.ts';
import type { ResultSubject } from './result.ts';

/** Shows where a statement stands, also when it has moved since it was run. */
export async function goToStatement({ origin, statement }: ResultSubject): Promise<void> {
  if (!origin) return;
  const document = await vscode.workspace.openTextDocument(origin.uri).then(undefined, () => undefined);
  if (!document) {
    await warn(vscode.l10n.t('The document of this statement is not there any more.'));
    return;
  }
  const text = document.getText();
  const start = nearest(text, statement, origin.start) ?? origin.start;
  const end = start === origin.start ? origin.end : start + statement.length;
  const selection = new vscode.Range(document.positionAt(start), document.positionAt(end));
  await vscode.window.showTextDocument(document, { selection });
}

/** Where that text begins, as near to the place as it can be found. */
function nearest(text: string, wanted: string, place: number): number | undefined {
  const [before, after] = [text.lastIndexOf(wanted, place), text.indexOf(wanted, place)];
  if (before === -1 || after === -1) return before === after ? undefined : Math.max(before, after);
  return place - before <= after - place ? before : after;
}
