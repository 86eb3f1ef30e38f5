import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { statementAt } from '../../sql/text/statementAt.ts';
import { settings } from '../names.ts';
import type { DocumentStatements } from './documentStatements.ts';
import type { RunnableDocuments } from './runnableDocuments.ts';

const color = new vscode.ThemeColor('focusBorder');

/** Shows what Run Statement would run: a bar beside its lines, and a line under it where it shares them with another. */
export class StatementBounds implements Disposable {
  readonly #statements: DocumentStatements;
  readonly #runnable: RunnableDocuments;
  readonly #owned = new DisposableStore();
  readonly #bar = this.#owned.add(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      borderStyle: 'solid',
      borderWidth: '0 0 0 2px',
      borderColor: color,
    }),
  );
  readonly #line = this.#owned.add(
    vscode.window.createTextEditorDecorationType({
      borderStyle: 'solid',
      borderWidth: '0 0 1px 0',
      borderColor: color,
    }),
  );

  constructor(statements: DocumentStatements, runnable: RunnableDocuments) {
    this.#statements = statements;
    this.#runnable = runnable;
    const all = (): void => vscode.window.visibleTextEditors.forEach(editor => this.#show(editor));
    this.#owned.add(runnable.onDidChange(all));
    this.#owned.add(vscode.window.onDidChangeVisibleTextEditors(all));
    this.#owned.add(vscode.window.onDidChangeActiveTextEditor(all));
    this.#owned.add(vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#show(textEditor)));
    this.#owned.add(statements.onDidChange(all));
    this.#owned.add(
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration(settings.runBounds)) all();
      }),
    );
    all();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #show(editor: vscode.TextEditor): void {
    if (editor.document.languageId !== 'sql') return;
    const range = this.#rangeIn(editor);
    const shared = range !== undefined && this.#isShared(editor.document, range);
    editor.setDecorations(this.#bar, range && !shared ? [range] : []);
    editor.setDecorations(this.#line, shared ? [range] : []);
  }

  /** Only the editor that has the focus has a cursor that means anything. */
  #rangeIn(editor: vscode.TextEditor): vscode.Range | undefined {
    const { document, selection } = editor;
    if (editor !== vscode.window.activeTextEditor || !selection.isEmpty || !this.#runnable.has(document))
      return undefined;
    if (!vscode.workspace.getConfiguration(undefined, document).get(settings.runBounds, true)) return undefined;
    const found = statementAt(this.#statements.for(document), document.offsetAt(selection.active));
    return found && new vscode.Range(document.positionAt(found.start), document.positionAt(found.end));
  }

  #isShared(document: vscode.TextDocument, { start, end }: vscode.Range): boolean {
    const statements = this.#statements.for(document);
    const number = statements.firstBehind(document.offsetAt(start));
    const [before, next] = [statements.at(number - 1), statements.at(number + 1)];
    const endsHere = before !== undefined && document.positionAt(before.end).line === start.line;
    return endsHere || (next !== undefined && document.positionAt(next.start).line === end.line);
  }
}
