import * as vscode from 'vscode';
import type { TextRange } from '../../sql/text/textRange.ts';
import { showWarning } from '../notifications.ts';
import type { StatementOrigin } from './result.ts';

interface PlacedStatement {
  readonly statement: string;
  readonly origin?: StatementOrigin | undefined;
}

/** Selects a statement, or a part of it, in its document, even if the statement has moved since it was run. */
export async function goToStatement({ origin, statement }: PlacedStatement, part?: TextRange): Promise<void> {
  const document = origin && (await documentOf(origin));
  if (!document) {
    await showWarning(
      vscode.l10n.t(
        'The document of this statement was closed or deleted. Its tab, or its line in the script log, shows the statement.',
      ),
    );
    return;
  }
  const index = nearestIndexOf(document.getText(), statement, origin.start);
  const start = document.positionAt(index === undefined ? origin.start : index + (part?.start ?? 0));
  const end = index === undefined ? start : document.positionAt(index + (part?.end ?? statement.length));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, end) });
  if (index === undefined) await showWarning(vscode.l10n.t('The statement has changed since it ran. It was here.'));
}

export const originIn = (document: vscode.TextDocument | undefined, { start, end }: TextRange) =>
  document && { uri: document.uri.toString(), start, end, isUnchanged: true };

/** Undefined if the document is gone. VS Code would open a closed untitled document as an empty one. */
export async function documentOf(origin: StatementOrigin): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === origin.uri);
  const uri = vscode.Uri.parse(origin.uri);
  if (open || uri.scheme === 'untitled') return open;
  return vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
}

/** Undefined if the text is nowhere. */
function nearestIndexOf(text: string, searchedText: string, position: number): number | undefined {
  const before = text.lastIndexOf(searchedText, position);
  const after = text.indexOf(searchedText, position);
  if (before === -1 && after === -1) return undefined;
  if (before === -1) return after;
  if (after === -1) return before;
  return position - before <= after - position ? before : after;
}
