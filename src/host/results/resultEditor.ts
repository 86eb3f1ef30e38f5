import * as vscode from 'vscode';
import { panels } from '../names.ts';
import { editorIcon } from '../projectAppearance.ts';
import type { KeptResult } from './keptResult.ts';
import { act, actionsOf, type ResultKeeper } from './resultActions.ts';
import { ResultPage } from './resultPage.ts';

export interface ResultEditorParts {
  readonly extensionUri: vscode.Uri;
  readonly keeper: ResultKeeper;
  /** One that VS Code brought back; a new one unless set. */
  readonly panel?: vscode.WebviewPanel | undefined;
  readonly onFocus: () => void;
  readonly onClose: () => void;
}

/** Shows a result in an editor of its own, beside others, and the one that takes its place when it is run again. */
export class ResultEditor {
  readonly #panel: vscode.WebviewPanel;
  readonly #page: ResultPage<KeptResult>;
  #result: KeptResult;

  constructor(result: KeptResult, { extensionUri, keeper, panel, onFocus, onClose }: ResultEditorParts) {
    this.#result = result;
    this.#panel = panel ?? vscode.window.createWebviewPanel(panels.result, result.title, vscode.ViewColumn.Active);
    this.#showProtection();
    this.#page = new ResultPage<KeptResult>({
      ...{ extensionUri, webview: this.#panel.webview, title: result.title },
      isVisible: () => this.#panel.visible,
      onFocus,
      actions: {
        of: shown => actionsOf(shown, 'editor'),
        act: (action, shown) => act(action, shown, { keeper }),
      },
    });
    void this.#page.show(result);
    this.#panel.onDidDispose(() => {
      this.#page.dispose();
      onClose();
    });
  }

  get result(): KeptResult {
    return this.#result;
  }

  show(result: KeptResult): Promise<void> {
    this.#result = result;
    this.#showProtection();
    return this.#page.show(result);
  }

  /** Shows the name that its result has by now. */
  rename(): void {
    this.#panel.title = this.#result.title;
  }

  #showProtection(): void {
    this.#panel.iconPath = editorIcon(this.#result.subject.profile, 'table');
  }

  focus(): void {
    this.#panel.reveal();
  }

  close(): void {
    this.#panel.dispose();
  }
}
