import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { formatDuration } from '../../base/formats.ts';
import type { TextRange } from '../../sql/text/textRange.ts';
import { mayHoldSql } from '../connections/embeddedProject.ts';
import type { MarkState, RunMark, RunMarks } from './runMarks.ts';

/** Repaint at most this often. A statement that ends sooner never shows as running: its rows come first. */
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
