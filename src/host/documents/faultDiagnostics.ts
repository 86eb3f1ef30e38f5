import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { RunMarks } from './runMarks.ts';

/** Update problems at most this often: VS Code replaces all problems of a document at once, and a script may fail often. */
const refreshMs = 100;

/** Shows the faults of statements that failed as problems at their position. A problem goes with the mark of its run. */
export class FaultDiagnostics implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #collection = this.#owned.add(vscode.languages.createDiagnosticCollection('sqlProjects'));
  readonly #marks: RunMarks;
  readonly #changedDocuments = new Set<vscode.TextDocument>();
  readonly #update = this.#owned.add(new Debouncer({ delayMs: refreshMs, run: () => this.#showChanged() }));

  constructor(marks: RunMarks) {
    this.#marks = marks;
    this.#owned.add(
      marks.onDidChange(({ document }) => {
        this.#changedDocuments.add(document);
        this.#update.schedule();
      }),
    );
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#collection.delete(uri)));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #showChanged(): void {
    for (const document of this.#changedDocuments) this.#show(document);
    this.#changedDocuments.clear();
  }

  #show(document: vscode.TextDocument): void {
    const diagnostics = this.#marks.all(document).flatMap(({ start, state }) => {
      if (state.kind !== 'failed' || !state.fault) return [];
      const { fault } = state;
      const range = new vscode.Range(document.positionAt(start + fault.start), document.positionAt(start + fault.end));
      const diagnostic = new vscode.Diagnostic(range, fault.message);
      diagnostic.source = vscode.l10n.t('SQL Projects');
      diagnostic.code = fault.code;
      return [diagnostic];
    });
    if (diagnostics.length > 0 || this.#collection.has(document.uri)) this.#collection.set(document.uri, diagnostics);
  }
}
