import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { StatementIndex, type StatementList, type TextEdit } from '../../sql/text/statementIndex.ts';

export interface StatementsEdited {
  readonly document: vscode.TextDocument;
  readonly statements: StatementList;
  /** Undefined when the text was read anew. */
  readonly edits: readonly TextEdit[] | undefined;
}

/** Where the statements of open documents begin and end. Cut once, then kept with each edit. */
export class DocumentStatements implements Disposable {
  readonly #indexes = new Map<string, StatementIndex>();
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<StatementsEdited>());

  /** Heard of documents that somebody asked for. */
  readonly onDidChange = this.#changes.event;

  constructor() {
    this.#owned.add(vscode.workspace.onDidChangeTextDocument(event => this.#edit(event)));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#indexes.delete(uri.toString())));
  }

  for(document: vscode.TextDocument): StatementList {
    // It is not heard of any more, and what is opened under its name next may read differently.
    if (document.isClosed) return new StatementIndex(document.getText());
    const name = document.uri.toString();
    const known = this.#indexes.get(name);
    if (known) return known;
    const index = new StatementIndex(document.getText());
    this.#indexes.set(name, index);
    return index;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #edit({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const name = document.uri.toString();
    const index = this.#indexes.get(name);
    if (!index) return;
    const edits = contentChanges.map(({ rangeOffset, rangeLength, text }) => ({
      start: rangeOffset,
      end: rangeOffset + rangeLength,
      text,
    }));
    for (const edit of edits) index.apply(edit);
    // Other ends of lines are no edit that tells where they are.
    if (index.length === lengthOf(document)) {
      if (edits.length > 0) this.#changes.fire({ document, statements: index, edits });
      return;
    }
    this.#indexes.delete(name);
    this.#changes.fire({ document, statements: this.for(document), edits: undefined });
  }
}

function lengthOf(document: vscode.TextDocument): number {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
}
