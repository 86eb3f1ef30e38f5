import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Gathering } from '../../base/gathering.ts';
import type { Place } from '../../model/statementMarks.ts';
import { durationOf } from './durations.ts';
import type { RunMark, RunMarks, RunState } from './runMarks.ts';

/** How often marks are painted anew, at most. What is over sooner is not seen to run: its rows come first. */
const refreshMs = 100;

type Shown = Exclude<RunState['kind'], 'waiting'>;

/** Beside each statement that was run: how it went, and behind its first line how long that took. */
export class GutterMarks implements Disposable {
  readonly #marks: RunMarks;
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(
    new Gathering<vscode.TextEditor>(refreshMs, editors => {
      for (const one of vscode.window.visibleTextEditors) if (editors.has(one)) this.#show(one);
    }),
  );
  readonly #types: Readonly<Record<Shown, vscode.TextEditorDecorationType>>;

  constructor(marks: RunMarks, extensionUri: vscode.Uri) {
    this.#marks = marks;
    const typeOf = (kind: Shown): vscode.TextEditorDecorationType =>
      this.#owned.add(
        vscode.window.createTextEditorDecorationType({
          gutterIconPath: vscode.Uri.joinPath(extensionUri, 'media/marks', `${kind}.svg`),
          gutterIconSize: 'contain',
          rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
        }),
      );
    this.#types = { running: typeOf('running'), ok: typeOf('ok'), failed: typeOf('failed') };
    this.#owned.add(vscode.window.onDidChangeVisibleTextEditors(editors => editors.forEach(one => this.#show(one))));
    this.#owned.add(vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.#show(textEditor)));
    this.#owned.add(
      marks.onDidChange(({ document, place }) => {
        for (const editor of vscode.window.visibleTextEditors) {
          if (editor.document === document && (!place || isNear(editor, place))) this.#changed.add(editor);
        }
      }),
    );
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #show(editor: vscode.TextEditor): void {
    if (editor.document.languageId !== 'sql') return;
    const marks = partsNear(editor).flatMap(part => this.#marks.within(editor.document, part));
    for (const [kind, type] of Object.entries(this.#types)) {
      const shown = marks.filter(({ state }) => state.kind === kind);
      editor.setDecorations(
        type,
        shown.map(mark => decorationOf(editor.document, mark)),
      );
    }
  }
}

/**
 * What is shown of a document, and as much above and below, so that marks are there before they are scrolled to. A script has
 * thousands of statements, and VS Code takes all marks of an editor anew each time.
 */
function partsNear({ document, visibleRanges }: vscode.TextEditor): Place[] {
  const parts: Place[] = [];
  for (const { start, end } of visibleRanges) {
    const lines = end.line - start.line + 1;
    const from = document.offsetAt(new vscode.Position(Math.max(0, start.line - lines), 0));
    const to = document.offsetAt(new vscode.Position(end.line + lines, Number.MAX_SAFE_INTEGER));
    const last = parts.at(-1);
    // Those around what is folded away overlap.
    if (last && last.end >= from) parts[parts.length - 1] = { start: last.start, end: to };
    else parts.push({ start: from, end: to });
  }
  return parts;
}

const isNear = (editor: vscode.TextEditor, { start, end }: Place): boolean =>
  partsNear(editor).some(part => part.start < end && start < part.end);

/** The first line of a statement: what stands beside all of its lines would be one mark a line. */
function decorationOf(document: vscode.TextDocument, { start, end, state }: RunMark): vscode.DecorationOptions {
  const [from, to] = [document.positionAt(start), document.positionAt(end)];
  const range = new vscode.Range(from, to.line === from.line ? to : document.lineAt(from.line).range.end);
  const contentText = 'elapsedMs' in state ? durationOf(state.elapsedMs) : '…';
  const color = new vscode.ThemeColor('editorCodeLens.foreground');
  return { range, renderOptions: { after: { contentText, color, margin: '0 0 0 2em' } } };
}
