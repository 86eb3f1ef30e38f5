import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { settings, themeColors } from '../names.ts';
import { onSettingChange } from '../connections/profileSettings.ts';
import type { DocumentStatements } from './documentStatements.ts';
import type { RunnableDocuments } from './runnableDocuments.ts';
import { statementsAtCursors } from './selectedStatements.ts';

const backgroundColor = new vscode.ThemeColor(themeColors.statementBackground);

/** Marks the statements that Run Statement runs: their lines, or only their text where statements share a line. */
export class StatementBounds extends DisposableStore {
  readonly #statements: DocumentStatements;
  readonly #runnable: RunnableDocuments;
  readonly #lines = this.add(vscode.window.createTextEditorDecorationType({ isWholeLine: true, backgroundColor }));
  readonly #text = this.add(vscode.window.createTextEditorDecorationType({ backgroundColor }));

  constructor(statements: DocumentStatements, runnable: RunnableDocuments) {
    super();
    this.#statements = statements;
    this.#runnable = runnable;
    const showAll = (): void => vscode.window.visibleTextEditors.forEach(editor => this.#show(editor));
    this.add(runnable.onDidChange(showAll));
    this.add(vscode.window.onDidChangeVisibleTextEditors(showAll));
    this.add(vscode.window.onDidChangeActiveTextEditor(showAll));
    this.add(vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#show(textEditor)));
    this.add(statements.onDidChange(showAll));
    this.add(onSettingChange([settings.runBounds], showAll));
    showAll();
  }

  #show(editor: vscode.TextEditor): void {
    if (editor.document.languageId !== 'sql') return;
    const ranges = this.#rangesIn(editor);
    const shares = (range: vscode.Range): boolean => this.#sharesLine(editor.document, range);
    editor.setDecorations(
      this.#lines,
      ranges.filter(range => !shares(range)),
    );
    editor.setDecorations(this.#text, ranges.filter(shares));
  }

  /** Empty unless the editor has the focus, nothing is selected, and the document belongs to a project. */
  #rangesIn(editor: vscode.TextEditor): vscode.Range[] {
    const { document, selections } = editor;
    if (editor !== vscode.window.activeTextEditor || !this.#runnable.has(document)) return [];
    if (selections.some(({ isEmpty }) => !isEmpty)) return [];
    if (!vscode.workspace.getConfiguration(undefined, document).get(settings.runBounds, true)) return [];
    const ranges = statementsAtCursors({ document, selections }, this.#statements.for(document));
    return ranges.map(({ start, end }) => new vscode.Range(document.positionAt(start), document.positionAt(end)));
  }

  #sharesLine(document: vscode.TextDocument, { start, end }: vscode.Range): boolean {
    const statements = this.#statements.for(document);
    const index = statements.firstEndingAfter(document.offsetAt(start));
    const previous = statements.at(index - 1);
    const next = statements.at(index + 1);
    const sharesFirstLine = previous !== undefined && document.positionAt(previous.end).line === start.line;
    const sharesLastLine = next !== undefined && document.positionAt(next.start).line === end.line;
    return sharesFirstLine || sharesLastLine;
  }
}
