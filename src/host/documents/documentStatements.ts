import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { embeddedStatements } from '../../sql/embedded/embeddedStatements.ts';
import type { StatementEnd } from '../../sql/text/splitter.ts';
import { onSettingChange } from '../connections/profileSettings.ts';
import { settings } from '../names.ts';
import { type EmbeddingSyntax, embeddingSyntaxOf } from '../../sql/embedded/embeddingLanguages.ts';
import { StatementIndex, type StatementList, type TextEdit } from '../../sql/text/statementIndex.ts';

interface StatementsEdited {
  readonly document: vscode.TextDocument;
  readonly statements: StatementList;
  /** Undefined when the whole document was split again. */
  readonly edits: readonly TextEdit[] | undefined;
}

/** The statements of open documents. An SQL document is split once and follows edits. A program is searched on demand. */
export class DocumentStatements implements Disposable {
  readonly #indexes = new Map<string, StatementIndex>();
  readonly #programs = new Map<string, StatementList>();
  #inProgramText: typeof embeddedStatements | undefined;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<StatementsEdited>());

  /** Fires for documents whose statements were requested before. */
  readonly onDidChange = this.#changes.event;

  constructor() {
    this.#owned.add(vscode.workspace.onDidChangeTextDocument(event => this.#edit(event)));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri.toString())));
    this.#owned.add(onSettingChange([settings.statementEnd], () => this.#splitAgain()));
  }

  /** Like `for`, but first loads the code that searches programs. */
  async load(document: vscode.TextDocument): Promise<StatementList> {
    if (embeddingSyntaxOf(document.languageId)) {
      this.#inProgramText ??= (await import('../../sql/embedded/embeddedStatements.ts')).embeddedStatements;
    }
    return this.for(document);
  }

  /** A program has no statements before the first `load`. */
  for(document: vscode.TextDocument): StatementList {
    const syntax = embeddingSyntaxOf(document.languageId);
    if (syntax) return this.#inProgram(document, syntax);
    // Do not cache a closed document: it sends no more events, and the next one of its name may differ.
    if (document.isClosed) return new StatementIndex(document.getText(), statementEndOf(document));
    const name = document.uri.toString();
    const cached = this.#indexes.get(name);
    if (cached) return cached;
    const index = new StatementIndex(document.getText(), statementEndOf(document));
    this.#indexes.set(name, index);
    return index;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #inProgram(document: vscode.TextDocument, syntax: EmbeddingSyntax): StatementList {
    const name = document.uri.toString();
    const cached = this.#programs.get(name);
    if (cached) return cached;
    if (!this.#inProgramText) return new StatementIndex('');
    const statements = this.#inProgramText(document.getText(), syntax);
    if (!document.isClosed) this.#programs.set(name, statements);
    return statements;
  }

  #splitAgain(): void {
    const documents = vscode.workspace.textDocuments.filter(({ uri }) => this.#indexes.delete(uri.toString()));
    for (const document of documents) {
      this.#changes.fire({ document, statements: this.for(document), edits: undefined });
    }
  }

  #forget(name: string): void {
    this.#indexes.delete(name);
    this.#programs.delete(name);
  }

  #edit({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const name = document.uri.toString();
    const edits = contentChanges.map(({ rangeOffset, rangeLength, text }) => ({
      start: rangeOffset,
      end: rangeOffset + rangeLength,
      text,
    }));
    const program = this.#programs.get(name);
    if (program) {
      // VS Code also reports, without edits, that a document becomes dirty. Only the length shows changed line endings.
      if (edits.length === 0 && program.length === lengthOf(document)) return;
      this.#programs.delete(name);
      const current = (): StatementList => this.for(document);
      this.#changes.fire({
        document,
        edits: edits.length > 0 ? edits : undefined,
        get statements() {
          return current();
        },
      });
      return;
    }
    const index = this.#indexes.get(name);
    if (!index) return;
    for (const edit of edits) index.apply(edit);
    // A change of the line endings comes without edits. Only the length shows it.
    if (index.length === lengthOf(document)) {
      if (edits.length > 0) this.#changes.fire({ document, statements: index, edits });
      return;
    }
    this.#indexes.delete(name);
    this.#changes.fire({ document, statements: this.for(document), edits: undefined });
  }
}

const statementEndOf = (document: vscode.TextDocument): StatementEnd | undefined =>
  vscode.workspace.getConfiguration(undefined, document).get(settings.statementEnd);

function lengthOf(document: vscode.TextDocument): number {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
}
