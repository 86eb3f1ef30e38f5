import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LanguageFaults } from '../language/languageFaults.ts';
import type { RunMark, RunMarks } from './runMarks.ts';

/** Update problems at most this often: VS Code replaces all problems of a document at once, and a script may fail often. */
const refreshMs = 100;

/** Shows the faults of failed statements as problems, unless the language server shows them. They go with the run's mark. */
export function showFaults(marks: RunMarks, language: LanguageFaults): Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection('sqlProjects'));
  const changedDocuments = new Set<vscode.TextDocument>();
  const show = (document: vscode.TextDocument): void => {
    const diagnostics = diagnosticsOf(document, marks.all(document), language.diagnosticsOf(document.uri));
    if (diagnostics.length > 0 || collection.has(document.uri)) collection.set(document.uri, diagnostics);
  };
  const showChanged = (): void => {
    changedDocuments.forEach(show);
    changedDocuments.clear();
  };
  const update = owned.add(new Debouncer({ delayMs: refreshMs, run: showChanged }));
  const showSoon = (document: vscode.TextDocument): void => {
    changedDocuments.add(document);
    update.schedule();
  };
  owned.add(marks.onDidChange(({ document }) => showSoon(document)));
  owned.add(
    language.onDidChange(uri => {
      const document = vscode.workspace.textDocuments.find(open => open.uri.toString() === uri);
      if (document && marks.all(document).length > 0) showSoon(document);
    }),
  );
  owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)));
  return owned;
}

function diagnosticsOf(
  document: vscode.TextDocument,
  marks: readonly RunMark[],
  shown: readonly vscode.Diagnostic[],
): vscode.Diagnostic[] {
  return marks.flatMap(({ start, state }) => {
    if (state.kind !== 'failed' || !state.fault) return [];
    const { fault } = state;
    const range = new vscode.Range(document.positionAt(start + fault.start), document.positionAt(start + fault.end));
    if (shown.some(other => isSameFault(other, range, fault.message))) return [];
    const diagnostic = new vscode.Diagnostic(range, fault.message);
    diagnostic.source = vscode.l10n.t('SQL Projects');
    diagnostic.code = fault.code;
    return [diagnostic];
  });
}

/** Whether the language server shows the fault, perhaps at a shorter range. */
const isSameFault = (other: vscode.Diagnostic, range: vscode.Range, message: string): boolean =>
  other.range.intersection(range) !== undefined && isSameMessage(other.message, message);

/** One of the two may have its hint already. The language server cuts long tokens. */
function isSameMessage(shown: string, message: string): boolean {
  const cut = shown.indexOf('…');
  return shown.includes(message) || message.includes(shown) || (cut !== -1 && message.startsWith(shown.slice(0, cut)));
}
