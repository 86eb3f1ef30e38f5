import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { type Mark, MarkList } from '../../model/statementMarks.ts';
import type { TextRange } from '../../sql/text/textRange.ts';
import type { StatementFault, StatementOrigin } from '../results/result.ts';
import type { DocumentStatements } from './documentStatements.ts';
import { currentRange, type SelectedStatement } from './selectedStatements.ts';

/**
 * `waiting`: the statement of a script whose turn has not come. `limited`: the user ended it at a limit. `past`: the document
 * has gone to another project since, so nothing is shown.
 */
export type MarkState =
  | { readonly kind: 'waiting' | 'running' | 'past' }
  | { readonly kind: 'ok' | 'cancelled' | 'limited'; readonly elapsedMs: number }
  | { readonly kind: 'failed'; readonly elapsedMs: number; readonly fault: StatementFault | undefined };

export type RunMark = Mark<MarkState>;

interface MarksChange {
  readonly document: vscode.TextDocument;
  /** Undefined when marks may have changed anywhere in the document. */
  readonly range: TextRange | undefined;
}

/** The last run of each statement of the open documents. A mark is dropped when its statement is edited. */
export class RunMarks extends DisposableStore {
  readonly #statements: DocumentStatements;
  readonly #lists = new Map<string, MarkList<MarkState>>();
  readonly #changes = this.add(new vscode.EventEmitter<MarksChange>());

  readonly onDidChange = this.#changes.event;

  constructor(statements: DocumentStatements) {
    super();
    this.#statements = statements;
    this.add(
      statements.onDidChange(({ document, edits }) => {
        const list = this.#lists.get(document.uri.toString());
        if (!list || list.isEmpty) return;
        // A program is searched only if it has marks.
        if (edits) list.applyEdits(edits, statements.for(document));
        else this.#lists.delete(document.uri.toString());
        this.#changes.fire({ document, range: undefined });
      }),
    );
    this.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#lists.delete(uri.toString())));
  }

  all(document: vscode.TextDocument): readonly RunMark[] {
    return this.#lists.get(document.uri.toString())?.marks ?? [];
  }

  inRange(document: vscode.TextDocument, range: TextRange): readonly RunMark[] {
    return this.#lists.get(document.uri.toString())?.inRange(range) ?? [];
  }

  /** A statement that the document no longer holds gets a mark that is not shown. */
  put(document: vscode.TextDocument | undefined, selected: SelectedStatement, state: MarkState): RunMark {
    const { start, end } = selected;
    const hidden = { start, end, state, isWholeStatement: false, isHidden: true };
    if (!document || document.isClosed) return hidden;
    const statements = this.#statements.for(document);
    const range = currentRange(statements, selected);
    if (!range) return hidden;
    const name = document.uri.toString();
    const list = this.#lists.get(name) ?? new MarkList<MarkState>();
    this.#lists.set(name, list);
    const mark = list.put(statements, range, state);
    this.#changes.fire({ document, range });
    return mark;
  }

  /** Whether the document still holds the statement as it was run. */
  has({ uri }: vscode.TextDocument, mark: RunMark): boolean {
    return this.#lists.get(uri.toString())?.has(mark) ?? false;
  }

  /** The statement's position, which follows edits. Undefined when the document no longer holds the statement. */
  originOf(document: vscode.TextDocument | undefined, mark: RunMark): StatementOrigin | undefined {
    if (!document || !this.has(document, mark)) return undefined;
    const isUnchanged = (): boolean => this.has(document, mark);
    return {
      uri: document.uri.toString(),
      get start() {
        return mark.start;
      },
      get end() {
        return mark.end;
      },
      get isUnchanged() {
        return isUnchanged();
      },
    };
  }

  /** Editors show the change only while the document still holds the statement. */
  set(document: vscode.TextDocument | undefined, mark: RunMark, state: MarkState): void {
    mark.state = state;
    if (document && this.has(document, mark)) this.#changes.fire({ document, range: mark });
  }

  remove(document: vscode.TextDocument | undefined, mark: RunMark): void {
    if (!document || !this.has(document, mark)) return;
    this.#lists.get(document.uri.toString())?.remove(mark);
    this.#changes.fire({ document, range: mark });
  }

  /** Hides the runs that have ended. A script goes on, and results still find their statements. */
  leaveProject(document: vscode.TextDocument): void {
    for (const mark of this.all(document)) if ('elapsedMs' in mark.state) mark.state = { kind: 'past' };
    this.#changes.fire({ document, range: undefined });
  }
}
