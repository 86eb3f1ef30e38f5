import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Gathering } from '../../base/gathering.ts';
import type { RunMarks } from './runMarks.ts';

/**
 * How often problems are told of, at most. VS Code takes all problems of a document anew each time, and a script has thousands
 * of statements that may fail.
 */
const refreshMs = 100;

/** Faults that the service found in statements, as problems at the very words. They go with the marks of their runs. */
export class FaultDiagnostics implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #collection = this.#owned.add(vscode.languages.createDiagnosticCollection('sqlProjects'));

  readonly #marks: RunMarks;
  readonly #changed = this.#owned.add(
    new Gathering<vscode.TextDocument>(refreshMs, documents => documents.forEach(one => this.#show(one))),
  );

  constructor(marks: RunMarks) {
    this.#marks = marks;
    this.#owned.add(marks.onDidChange(({ document }) => this.#changed.add(document)));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#collection.delete(uri)));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #show(document: vscode.TextDocument): void {
    const diagnostics = this.#marks.in(document).flatMap(({ start, state }) => {
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
