import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { mayHoldSql } from '../connections/embeddedProject.ts';
import type { Projects } from '../connections/projects.ts';
import { contextKeys } from '../names.ts';

interface RunnableChange {
  /** True when the document was checked for the first time. */
  readonly isNew: boolean;
}

/**
 * The open documents whose statements can run. An SQL document names a project, is assigned to one, or there is only one. A
 * program is in a folder whose setting names a project. Other documents may belong to another extension, so they get no lenses
 * and no background. Ctrl+Enter asks for their project.
 */
export class RunnableDocuments extends DisposableStore {
  readonly #documents: DocumentProjects;
  readonly #projects: Projects;
  readonly #isRunnable = new Map<string, boolean>();
  /** The id of the last project of each document. */
  readonly #projectIds = new Map<string, string>();
  readonly #changes = this.add(new vscode.EventEmitter<RunnableChange>());
  readonly #projectChanges = this.add(new vscode.EventEmitter<vscode.TextDocument>());

  /** Fires when a document becomes runnable or ceases to be. */
  readonly onDidChange = this.#changes.event;
  /** Fires when a document goes to another project than before. */
  readonly onDidChangeProject = this.#projectChanges.event;
  #hasProjects = false;

  constructor(documents: DocumentProjects, projects: Projects) {
    super();
    this.#documents = documents;
    this.#projects = projects;
    const update = (document: vscode.TextDocument): void => void this.#update(document);
    const updateAll = (): void => vscode.workspace.textDocuments.forEach(update);
    this.add(documents.onDidChange(document => (document ? update(document) : updateAll())));
    this.add(vscode.workspace.onDidOpenTextDocument(update));
    this.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)));
    updateAll();
  }

  has({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
    return this.#isRunnable.get(uri.toString()) ?? false;
  }

  /** Like `has`, but waits for the check of a document that was just opened. */
  async check(document: vscode.TextDocument): Promise<boolean> {
    if (!this.#isRunnable.has(document.uri.toString())) await this.#update(document);
    return this.has(document);
  }

  async #update(document: vscode.TextDocument): Promise<void> {
    if (!mayHoldSql(document)) return;
    const choice = await this.#documents.choiceFor(document);
    this.#setHasProjects(await this.#projects.hasProjects());
    if (document.isClosed) return;
    this.#set(document.uri, choice.kind !== 'undecided');
    if (choice.kind === 'project') this.#setProject(document, choice.profile.id);
  }

  /** Keeps the last project while the line that names another one is being typed. */
  #setProject(document: vscode.TextDocument, id: string): void {
    const name = document.uri.toString();
    const before = this.#projectIds.get(name);
    this.#projectIds.set(name, id);
    if (before !== undefined && before !== id) this.#projectChanges.fire(document);
  }

  #setHasProjects(hasProjects: boolean): void {
    if (this.#hasProjects === hasProjects) return;
    this.#hasProjects = hasProjects;
    void vscode.commands.executeCommand('setContext', contextKeys.hasProjects, hasProjects);
  }

  #set(uri: vscode.Uri, isRunnable: boolean): void {
    const name = uri.toString();
    const wasRunnable = this.#isRunnable.get(name);
    this.#isRunnable.set(name, isRunnable);
    if ((wasRunnable ?? false) === isRunnable) return;
    this.#updateContext();
    this.#changes.fire({ isNew: wasRunnable === undefined });
  }

  #forget(uri: vscode.Uri): void {
    const wasRunnable = this.has({ uri });
    this.#isRunnable.delete(uri.toString());
    this.#projectIds.delete(uri.toString());
    if (wasRunnable) this.#updateContext();
  }

  #updateContext(): void {
    const runnable = [...this.#isRunnable].filter(([, isRunnable]) => isRunnable).map(([name]) => name);
    setDocumentContext(contextKeys.documentsWithProject, runnable);
  }
}

/** Sets a context key to the paths of documents, in both spellings: a remote host and its window may see different ones. */
export function setDocumentContext(key: string, documents: Iterable<string>): void {
  const uris = [...documents].map(name => vscode.Uri.parse(name, true));
  const paths = new Set(uris.flatMap(({ path, fsPath }) => [path, fsPath]));
  void vscode.commands.executeCommand('setContext', key, [...paths]);
}
