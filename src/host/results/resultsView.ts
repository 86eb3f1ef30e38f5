import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { RowsRun } from '../../model/results/rowsRun.ts';
import { views } from '../names.ts';
import { newResult, type Result, type ResultSubject } from './result.ts';
import { ResultEditor } from './resultEditor.ts';
import { ResultPage } from './resultPage.ts';

export interface ShowOptions {
  /** Whether the view comes to the front; it does unless told not to. */
  readonly reveal?: boolean;
}

/** The view in the panel that shows the rows of the latest run. */
export class ResultsView implements vscode.WebviewViewProvider, Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #editors = new Set<ResultEditor>();
  #view: vscode.WebviewView | undefined;
  #page: ResultPage | undefined;
  #shown: Result | undefined;

  constructor(extensionUri: vscode.Uri) {
    this.#extensionUri = extensionUri;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const page = new ResultPage({
      ...{ extensionUri: this.#extensionUri, webview: view.webview, title: vscode.l10n.t('SQL Results') },
      isVisible: () => view.visible,
    });
    this.#view = view;
    this.#page = page;
    void page.show(this.#shown);
    view.onDidDispose(() => {
      page.dispose();
      this.#page = undefined;
      this.#view = undefined;
    });
  }

  /** Shows a run and starts it. The focus stays where it is. Settles when the run has ended. */
  async show(run: RowsRun, subject: ResultSubject, { reveal = true }: ShowOptions = {}): Promise<void> {
    const previous = this.#shown;
    this.#shown = newResult(run, subject);
    void previous?.run.dispose();
    const finished = run.run();
    if (reveal) await this.#reveal();
    await this.#page?.show(this.#shown);
    await finished;
  }

  /** Moves the result that is shown into an editor of its own, where it stays until that is closed. */
  async openInEditor(): Promise<void> {
    const result = this.#shown;
    if (!result) return;
    this.#shown = undefined;
    await this.#page?.show(undefined);
    const editor = new ResultEditor(this.#extensionUri, result, () => this.#editors.delete(editor));
    this.#editors.add(editor);
  }

  dispose(): void {
    this.#page?.dispose();
    void this.#shown?.run.dispose();
    for (const editor of this.#editors) editor.dispose();
  }

  async #reveal(): Promise<void> {
    if (this.#view) this.#view.show(true);
    else await vscode.commands.executeCommand(`${views.results}.focus`, { preserveFocus: true });
  }
}
