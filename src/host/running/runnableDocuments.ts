import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type DocumentProjects, headLines } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import { contextKeys } from '../names.ts';
import { setDocumentContext } from './documentContext.ts';

/**
 * The open SQL documents that belong to a project, by their own word, by assignment, or because there is but one. Only these
 * get what running puts into editors, its key included: other SQL documents are left to whoever they belong to.
 */
export class RunnableDocuments implements Disposable {
  readonly #documents: DocumentProjects;
  readonly #runnable = new Set<string>();
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<void>());

  /** Heard when a document began or ceased to belong to a project. */
  readonly onDidChange = this.#changes.event;

  constructor(documents: DocumentProjects, projects: Projects) {
    this.#documents = documents;
    const all = (): void => vscode.workspace.textDocuments.forEach(look);
    const look = (document: vscode.TextDocument): void => void this.#look(document);
    for (const event of [documents.onDidChange, projects.onDidChange]) this.#owned.add(event(all));
    this.#owned.add(vscode.workspace.onDidOpenTextDocument(look));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#set(uri, false)));
    this.#owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.some(({ range }) => range.start.line < headLines)) look(document);
      }),
    );
    all();
  }

  has({ uri }: vscode.TextDocument): boolean {
    return this.#runnable.has(uri.toString());
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
    if (this.#runnable.has(name) === runnable) return;
    if (runnable) this.#runnable.add(name);
    else this.#runnable.delete(name);
    setDocumentContext(contextKeys.documentsWithProject, this.#runnable);
    this.#changes.fire();
  }
}
