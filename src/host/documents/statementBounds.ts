import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { settings, themeColors } from '../names.ts';
import { onSettingChange } from '../connections/profileSettings.ts';
import type { DocumentStatements } from './documentStatements.ts';
import type { RunnableDocuments } from './runnableDocuments.ts';
import type { StatementList } from '../../sql/text/statementIndex.ts';
import { statementsAtCursors } from './selectedStatements.ts';

const backgroundColor = new vscode.ThemeColor(themeColors.statementBackground);

/** Marks the statements that Run Statement runs: their lines, or only their text where statements share a line. */
export function showStatementBounds(statements: DocumentStatements, runnable: RunnableDocuments): Disposable {
  const owned = new DisposableStore();
  const { window } = vscode;
  const lines = owned.add(window.createTextEditorDecorationType({ isWholeLine: true, backgroundColor }));
  const text = owned.add(window.createTextEditorDecorationType({ backgroundColor }));
  const show = (editor: vscode.TextEditor): void => {
    const { document } = editor;
    if (document.languageId !== 'sql') return;
    const ranges = runnable.has(document) ? boundsIn(editor, statements) : [];
    const shares = (range: vscode.Range): boolean => sharesLine(document, statements.for(document), range);
    editor.setDecorations(
      lines,
      ranges.filter(range => !shares(range)),
    );
    editor.setDecorations(text, ranges.filter(shares));
  };
  const showAll = (): void => window.visibleTextEditors.forEach(show);
  owned.add(runnable.onDidChange(showAll));
  owned.add(window.onDidChangeVisibleTextEditors(showAll));
  owned.add(window.onDidChangeActiveTextEditor(showAll));
  owned.add(window.onDidChangeTextEditorSelection(({ textEditor }) => show(textEditor)));
  owned.add(statements.onDidChange(showAll));
  owned.add(onSettingChange([settings.runBounds], showAll));
  showAll();
  return owned;
}

/** Empty unless the editor has the focus and nothing is selected. */
function boundsIn(editor: vscode.TextEditor, statements: DocumentStatements): vscode.Range[] {
  const { document, selections } = editor;
  if (editor !== vscode.window.activeTextEditor || selections.some(({ isEmpty }) => !isEmpty)) return [];
  if (!vscode.workspace.getConfiguration(undefined, document).get(settings.runBounds, true)) return [];
  const ranges = statementsAtCursors({ document, selections }, statements.for(document));
  return ranges.map(({ start, end }) => new vscode.Range(document.positionAt(start), document.positionAt(end)));
}

function sharesLine(document: vscode.TextDocument, statements: StatementList, { start, end }: vscode.Range): boolean {
  const index = statements.firstEndingAfter(document.offsetAt(start));
  const previous = statements.at(index - 1);
  const next = statements.at(index + 1);
  const sharesFirstLine = previous !== undefined && document.positionAt(previous.end).line === start.line;
  const sharesLastLine = next !== undefined && document.positionAt(next.start).line === end.line;
  return sharesFirstLine || sharesLastLine;
}
