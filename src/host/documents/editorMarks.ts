import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { formatDuration } from '../../base/formats.ts';
import type { TextRange } from '../../sql/text/textRange.ts';
import type { StatementList } from '../../sql/text/statementIndex.ts';
import { mayHoldSql } from '../connections/embeddedProject.ts';
import type { LanguageFaults } from '../language/languageFaults.ts';
import { settings, themeColors } from '../names.ts';
import { onSettingChange } from '../connections/profileSettings.ts';
import type { MarkState, RunMark, RunMarks } from './runMarks.ts';
import type { DocumentStatements } from './documentStatements.ts';
import type { RunnableDocuments } from './runnableDocuments.ts';
import { statementsAtCursors } from './selectedStatements.ts';

/**
 * Update marks and problems at most this often. A statement that ends sooner never shows as running: its rows come first. VS Code
 * replaces all problems of a document at once, and a script may fail often.
 */
const refreshMs = 100;

/** Each has an icon of its name. The other states show nothing. */
const shownKinds = ['running', 'ok', 'failed', 'cancelled', 'limited'] as const satisfies MarkState['kind'][];

/** Shows an icon beside each statement that was run, and its duration after its first line. */
export function showGutterMarks(marks: RunMarks, extensionUri: vscode.Uri): Disposable {
  const owned = new DisposableStore();
  const { window } = vscode;
  const types = shownKinds.map(kind => {
    const type = window.createTextEditorDecorationType({
      gutterIconPath: vscode.Uri.joinPath(extensionUri, 'media/marks', `${kind}.svg`),
      gutterIconSize: 'contain',
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    });
    return [kind, owned.add(type)] as const;
  });
  const show = (editor: vscode.TextEditor): void => {
    if (!mayHoldSql(editor.document)) return;
    const near = rangesNearView(editor).flatMap(range => marks.inRange(editor.document, range));
    for (const [kind, type] of types) {
      const shown = near.filter(({ state }) => state.kind === kind);
      editor.setDecorations(
        type,
        shown.map(mark => decorationOf(editor.document, mark)),
      );
    }
  };
  const changedEditors = new Set<vscode.TextEditor>();
  const showChanged = (): void => {
    for (const editor of window.visibleTextEditors) if (changedEditors.has(editor)) show(editor);
    changedEditors.clear();
  };
  const repaint = owned.add(new Debouncer({ delayMs: refreshMs, run: showChanged }));
  owned.add(window.onDidChangeVisibleTextEditors(editors => editors.forEach(show)));
  owned.add(window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => show(textEditor)));
  owned.add(
    marks.onDidChange(({ document, range }) => {
      for (const editor of window.visibleTextEditors) {
        if (editor.document === document && (!range || isNearView(editor, range))) {
          changedEditors.add(editor);
          repaint.schedule();
        }
      }
    }),
  );
  return owned;
}

/**
 * The visible ranges and as many lines above and below, so that marks exist before the user scrolls to them. A script may have
 * thousands of statements, and VS Code replaces all decorations of an editor at each change.
 */
function rangesNearView({ document, visibleRanges }: vscode.TextEditor): TextRange[] {
  const ranges: TextRange[] = [];
  for (const { start, end } of visibleRanges) {
    const lines = end.line - start.line + 1;
    const from = document.offsetAt(new vscode.Position(Math.max(0, start.line - lines), 0));
    const to = document.offsetAt(new vscode.Position(end.line + lines, Number.MAX_SAFE_INTEGER));
    const last = ranges.at(-1);
    // Ranges on both sides of folded lines overlap.
    if (last && last.end >= from) ranges[ranges.length - 1] = { start: last.start, end: to };
    else ranges.push({ start: from, end: to });
  }
  return ranges;
}

const isNearView = (editor: vscode.TextEditor, { start, end }: TextRange): boolean =>
  rangesNearView(editor).some(range => range.start < end && start < range.end);

/** Covers the first line: VS Code paints a gutter icon beside every line. In a program, the duration comes after the line. */
function decorationOf(document: vscode.TextDocument, { start, end, state }: RunMark): vscode.DecorationOptions {
  const from = document.positionAt(start);
  const to = document.positionAt(end);
  const endsInLine = to.line === from.line && document.languageId === 'sql';
  const range = new vscode.Range(from, endsInLine ? to : document.lineAt(from.line).range.end);
  const after = {
    contentText: markText(state),
    color: new vscode.ThemeColor('editorCodeLens.foreground'),
    margin: '0 0 0 2em',
  };
  return { range, renderOptions: { after } };
}

function markText(state: MarkState): string {
  if (!('elapsedMs' in state)) return '…';
  const duration = formatDuration(state.elapsedMs, vscode.env.language);
  if (state.kind === 'cancelled') return vscode.l10n.t('Cancelled after {0}', duration);
  if (state.kind === 'limited') return vscode.l10n.t('Finished at the limit after {0}', duration);
  return duration;
}

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

const backgroundColor = new vscode.ThemeColor(themeColors.statementBackground);

/** Marks the statements that Run Statement runs: their lines, or only their text where statements share a line. */
export function showStatementBounds(statements: DocumentStatements, runnable: RunnableDocuments): Disposable {
  const owned = new DisposableStore();
  const { window } = vscode;
  const lines = owned.add(window.createTextEditorDecorationType({ isWholeLine: true, backgroundColor }));
  const text = owned.add(window.createTextEditorDecorationType({ backgroundColor }));
  const show = (editor: vscode.TextEditor): void => {
    const { document } = editor;
    if (document.languageId !== 'sql') return;
    const ranges = runnable.has(document) ? boundsIn(editor, statements) : [];
    const shares = (range: vscode.Range): boolean => sharesLine(document, statements.for(document), range);
    editor.setDecorations(
      lines,
      ranges.filter(range => !shares(range)),
    );
    editor.setDecorations(text, ranges.filter(shares));
  };
  const showAll = (): void => window.visibleTextEditors.forEach(show);
  owned.add(runnable.onDidChange(showAll));
  owned.add(window.onDidChangeVisibleTextEditors(showAll));
  owned.add(window.onDidChangeActiveTextEditor(showAll));
  owned.add(window.onDidChangeTextEditorSelection(({ textEditor }) => show(textEditor)));
  owned.add(statements.onDidChange(showAll));
  owned.add(onSettingChange([settings.runBounds], showAll));
  showAll();
  return owned;
}

/** Empty unless the editor has the focus and nothing is selected. */
function boundsIn(editor: vscode.TextEditor, statements: DocumentStatements): vscode.Range[] {
  const { document, selections } = editor;
  if (editor !== vscode.window.activeTextEditor || selections.some(({ isEmpty }) => !isEmpty)) return [];
  if (!vscode.workspace.getConfiguration(undefined, document).get(settings.runBounds, true)) return [];
  const ranges = statementsAtCursors({ document, selections }, statements.for(document));
  return ranges.map(({ start, end }) => new vscode.Range(document.positionAt(start), document.positionAt(end)));
}

function sharesLine(document: vscode.TextDocument, statements: StatementList, { start, end }: vscode.Range): boolean {
  const index = statements.firstEndingAfter(document.offsetAt(start));
  const previous = statements.at(index - 1);
  const next = statements.at(index + 1);
  const sharesFirstLine = previous !== undefined && document.positionAt(previous.end).line === start.line;
  const sharesLastLine = next !== undefined && document.positionAt(next.start).line === end.line;
  return sharesFirstLine || sharesLastLine;
}
