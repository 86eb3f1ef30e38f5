import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { embeddedStatements } from '../../sql/embedded/embeddedStatements.ts';
import type { StatementEnd } from '../../sql/text/splitter.ts';
import { onSettingChange } from '../connections/profileSettings.ts';
import { settings } from '../names.ts';
import { embeddingSyntaxOf } from '../../sql/embedded/embeddingLanguages.ts';
import { StatementIndex, type StatementList, type TextEdit } from '../../sql/text/statementIndex.ts';

interface StatementsEdited {
  readonly document: vscode.TextDocument;
  /** Undefined when the whole document was split again. */
  readonly edits: readonly TextEdit[] | undefined;
}

/** The statements of open documents. An SQL document is split once and follows edits. A program is searched on demand. */
export class DocumentStatements extends DisposableStore {
  readonly #lists = new Map<string, StatementList>();
  #inProgramText: typeof embeddedStatements | undefined;
  readonly #changes = this.add(new vscode.EventEmitter<StatementsEdited>());

  /** Fires for documents whose statements were requested before. */
  readonly onDidChange = this.#changes.event;

  constructor() {
    super();
    this.add(vscode.workspace.onDidChangeTextDocument(event => this.#edit(event)));
    this.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#lists.delete(uri.toString())));
    this.add(onSettingChange([settings.statementEnd], () => this.#splitAgain()));
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
    // A closed document sends no more events, and the next one of its name may differ. So neither is taken for the other.
    const name = document.isClosed ? undefined : document.uri.toString();
    const cached = name === undefined ? undefined : this.#lists.get(name);
    if (cached) return cached;
    const syntax = embeddingSyntaxOf(document.languageId);
    const inProgramText = this.#inProgramText;
    if (syntax && !inProgramText) return new StatementIndex('');
    const text = document.getText();
    const statementEnd = vscode.workspace
      .getConfiguration(undefined, document)
      .get<StatementEnd>(settings.statementEnd);
    const list = syntax ? inProgramText!(text, syntax) : new StatementIndex(text, statementEnd);
    if (name !== undefined) this.#lists.set(name, list);
    return list;
  }

  /** The setting does not concern programs. */
  #splitAgain(): void {
    for (const document of vscode.workspace.textDocuments) {
      if (embeddingSyntaxOf(document.languageId) || !this.#lists.delete(document.uri.toString())) continue;
      this.#changes.fire({ document, edits: undefined });
    }
  }

  #edit({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const name = document.uri.toString();
    const list = this.#lists.get(name);
    if (!list) return;
    const edits = contentChanges.map(({ rangeOffset, rangeLength, text }) => ({
      start: rangeOffset,
      end: rangeOffset + rangeLength,
      text,
    }));
    const index = list instanceof StatementIndex ? list : undefined;
    for (const edit of edits) index?.apply(edit);
    const { end } = document.lineAt(document.lineCount - 1).range;
    const hasLength = list.length === document.offsetAt(end);
    // VS Code also reports, without edits, that a document becomes dirty. Only the length shows changed line endings.
    if (edits.length === 0 && hasLength) return;
    if (!index || !hasLength) this.#lists.delete(name);
    this.#changes.fire({ document, edits: edits.length > 0 && (!index || hasLength) ? edits : undefined });
  }
}
