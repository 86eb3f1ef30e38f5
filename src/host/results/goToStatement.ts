import * as vscode from 'vscode';
import { showWarning } from '../notifications.ts';
import type { ResultSubject, StatementOrigin } from './result.ts';

/** Shows where a statement stands, also when it has moved since it was run. */
export async function goToStatement({ origin, statement }: ResultSubject): Promise<void> {
  if (!origin) return;
  const document = await documentOf(origin);
  if (!document) {
    await showWarning(vscode.l10n.t('The document of this statement is not there any more.'));
    return;
  }
  const text = document.getText();
  const found = nearest(text, statement, origin.start);
  const [start, end] = found === undefined ? [origin.start, origin.start] : [found, found + statement.length];
  const selection = new vscode.Range(document.positionAt(start), document.positionAt(end));
  await vscode.window.showTextDocument(document, { selection });
  if (found === undefined) await showWarning(vscode.l10n.t('The statement was changed since. It stood here.'));
}

/** The document of a statement. An untitled one that was closed is gone: VS Code would make a new one of that name. */
export async function documentOf(origin: StatementOrigin): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === origin.uri);
  const uri = vscode.Uri.parse(origin.uri);
  if (open || uri.scheme === 'untitled') return open;
  return vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
}

/** Where that text begins, as near to the place as it can be found. */
function nearest(text: string, wanted: string, place: number): number | undefined {
  const [before, after] = [text.lastIndexOf(wanted, place), text.indexOf(wanted, place)];
  if (before === -1 || after === -1) return before === after ? undefined : Math.max(before, after);
  return place - before <= after - place ? before : after;
}
