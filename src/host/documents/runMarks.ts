import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type Mark, MarkList, type Place } from '../../model/statementMarks.ts';
import type { StatementOrigin } from '../results/result.ts';
import type { DocumentStatements } from './documentStatements.ts';
import { placeNow, type SelectedStatement } from './selectedStatements.ts';

/** What is wrong with a statement, and with which part of it. */
export interface StatementFault {
  readonly message: string;
  readonly code: string;
  /** Offsets within the statement. */
  readonly start: number;
  readonly end: number;
}

/** `waiting`: it is one of a script, and its turn has not come. */
export type RunState =
  | { readonly kind: 'waiting' | 'running' }
  | { readonly kind: 'ok'; readonly elapsedMs: number }
  | { readonly kind: 'failed'; readonly elapsedMs: number; readonly fault: StatementFault | undefined };

export type RunMark = Mark<RunState>;

/** What marks came, went, moved or changed. */
export interface MarksChange {
  readonly document: vscode.TextDocument;
  /** Undefined when it may be anywhere. */
  readonly place: Place | undefined;
}

/** How the last run of each statement went. What is known of a statement goes when the statement is changed. */
export class RunMarks implements Disposable {
  readonly #statements: DocumentStatements;
  readonly #lists = new Map<string, MarkList<RunState>>();
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<MarksChange>());

  readonly onDidChange = this.#changes.event;

  constructor(statements: DocumentStatements) {
    this.#statements = statements;
    this.#owned.add(
      statements.onDidChange(({ document, statements: edited, edits }) => {
        const list = this.#lists.get(document.uri.toString());
        if (!list || list.isEmpty) return;
        if (edits) list.follow(edits, edited);
        else this.#lists.delete(document.uri.toString());
        this.#changes.fire({ document, place: undefined });
      }),
    );
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#lists.delete(uri.toString())));
  }

  in(document: vscode.TextDocument): readonly RunMark[] {
    return this.#lists.get(document.uri.toString())?.marks ?? [];
  }

  /** Those at a part of the document: of a long script only that is in view. */
  within(document: vscode.TextDocument, place: Place): readonly RunMark[] {
    return this.#lists.get(document.uri.toString())?.within(place) ?? [];
  }

  /** Undefined when the statement is not there any more. */
  put(document: vscode.TextDocument, selected: SelectedStatement, state: RunState): RunMark | undefined {
    if (document.isClosed) return undefined;
    const statements = this.#statements.for(document);
    const place = placeNow(statements, selected);
    if (!place) return undefined;
    const name = document.uri.toString();
    const list = this.#lists.get(name) ?? new MarkList<RunState>();
    this.#lists.set(name, list);
    const mark = list.put(statements, place, state);
    this.#changes.fire({ document, place });
    return mark;
  }

  /** Whether the statement still stands there as it was run. */
  has({ uri }: vscode.TextDocument, mark: RunMark): boolean {
    return this.#lists.get(uri.toString())?.has(mark) ?? false;
  }

  /** Where a statement stands, for as long as its mark does. Undefined when it is not there now. */
  originOf(document: vscode.TextDocument | undefined, mark: RunMark): StatementOrigin | undefined {
    if (!document || !this.has(document, mark)) return undefined;
    const { uri } = document;
    const stands = (): boolean => this.has(document, mark);
    return {
      uri,
      get start() {
        return mark.start;
      },
      get end() {
        return mark.end;
      },
      get stands() {
        return stands();
      },
    };
  }

  /** Nothing happens to a mark that went meanwhile, as it does with its document. */
  set(document: vscode.TextDocument | undefined, mark: RunMark, state: RunState): void {
    mark.state = state;
    if (document && this.has(document, mark)) this.#changes.fire({ document, place: mark });
  }

  remove(document: vscode.TextDocument | undefined, mark: RunMark): void {
    if (!document || !this.has(document, mark)) return;
    this.#lists.get(document.uri.toString())?.remove(mark);
    this.#changes.fire({ document, place: mark });
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
