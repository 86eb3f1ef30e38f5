import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type DocumentProjects, headLines } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import { contextKeys } from '../names.ts';
import { setDocumentContext } from './documentContext.ts';

export interface RunnableChange {
  /** Whether this is the first that is known of the document. */
  readonly isNew: boolean;
}

/**
 * The open SQL documents that belong to a project, by their own word, by assignment, or because there is but one. Only these
 * get what running puts into editors, its key included: other SQL documents are left to whoever they belong to.
 */
export class RunnableDocuments implements Disposable {
  readonly #documents: DocumentProjects;
  readonly #looked = new Map<string, boolean>();
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<RunnableChange>());

  /** Heard when a document began or ceased to belong to a project, and when a new one turned out to. */
  readonly onDidChange = this.#changes.event;

  constructor(documents: DocumentProjects, projects: Projects) {
    this.#documents = documents;
    const all = (): void => vscode.workspace.textDocuments.forEach(look);
    const look = (document: vscode.TextDocument): void => void this.#look(document);
    for (const event of [documents.onDidChange, projects.onDidChange]) this.#owned.add(event(all));
    this.#owned.add(vscode.workspace.onDidOpenTextDocument(look));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)));
    this.#owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.some(({ range }) => range.start.line < headLines)) look(document);
      }),
    );
    all();
  }

  has({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
    return this.#looked.get(uri.toString()) ?? false;
  }

  /** The same, also of a document that has just been opened. */
  async settled(document: vscode.TextDocument): Promise<boolean> {
    if (!this.#looked.has(document.uri.toString())) await this.#look(document);
    return this.has(document);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #look(document: vscode.TextDocument): Promise<void> {
    if (document.languageId !== 'sql') return;
    const { kind } = await this.#documents.choiceFor(document);
    if (!document.isClosed) this.#set(document.uri, kind !== 'open');
  }

  #set(uri: vscode.Uri, runnable: boolean): void {
    const name = uri.toString();
    const before = this.#looked.get(name);
    this.#looked.set(name, runnable);
    if ((before ?? false) === runnable) return;
    this.#tellContext();
    this.#changes.fire({ isNew: before === undefined });
  }

  #forget(uri: vscode.Uri): void {
    const was = this.has({ uri });
    this.#looked.delete(uri.toString());
    if (was) this.#tellContext();
  }

  #tellContext(): void {
    const runnable = [...this.#looked].filter(([, is]) => is).map(([name]) => name);
    setDocumentContext(contextKeys.documentsWithProject, runnable);
  }
}
