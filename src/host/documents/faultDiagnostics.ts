import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LanguageFaults } from '../language/languageFaults.ts';
import type { RunMarks } from './runMarks.ts';

/** Update problems at most this often: VS Code replaces all problems of a document at once, and a script may fail often. */
const refreshMs = 100;

/**
 * Shows the faults of failed statements as problems. A problem disappears with the mark of its run, and while the language
 * server shows the same fault.
 */
export class FaultDiagnostics implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #collection = this.#owned.add(vscode.languages.createDiagnosticCollection('sqlProjects'));
  readonly #marks: RunMarks;
  readonly #language: LanguageFaults;
  readonly #changedDocuments = new Set<vscode.TextDocument>();
  readonly #update = this.#owned.add(new Debouncer({ delayMs: refreshMs, run: () => this.#showChanged() }));

  constructor(marks: RunMarks, language: LanguageFaults) {
    this.#marks = marks;
    this.#language = language;
    this.#owned.add(
      marks.onDidChange(({ document }) => {
        this.#changedDocuments.add(document);
        this.#update.schedule();
      }),
    );
    this.#owned.add(
      language.onDidChange(uri => {
        const document = vscode.workspace.textDocuments.find(open => open.uri.toString() === uri);
        if (!document || marks.all(document).length === 0) return;
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
    const shown = this.#language.diagnosticsOf(document.uri);
    const diagnostics = this.#marks.all(document).flatMap(({ start, state }) => {
      if (state.kind !== 'failed' || !state.fault) return [];
      const { fault } = state;
      const range = new vscode.Range(document.positionAt(start + fault.start), document.positionAt(start + fault.end));
      if (shown.some(other => isSameFault(other, range, fault.message))) return [];
      const diagnostic = new vscode.Diagnostic(range, fault.message);
      diagnostic.source = vscode.l10n.t('SQL Projects');
      diagnostic.code = fault.code;
      return [diagnostic];
    });
    if (diagnostics.length > 0 || this.#collection.has(document.uri)) this.#collection.set(document.uri, diagnostics);
  }
}

/** Whether the language server shows the fault, perhaps at a shorter range. */
const isSameFault = (other: vscode.Diagnostic, range: vscode.Range, message: string): boolean =>
  other.range.intersection(range) !== undefined && isSameMessage(other.message, message);

/** The language server may add a hint and cuts long tokens. The service may add a suggestion. */
function isSameMessage(shown: string, message: string): boolean {
  const cut = shown.indexOf('…');
  return shown.includes(message) || message.includes(shown) || (cut !== -1 && message.startsWith(shown.slice(0, cut)));
}
