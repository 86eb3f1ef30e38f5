import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { panels } from '../names.ts';
import type { KeptResult } from './keptResult.ts';
import { act, actionsOf, type ResultKeeper } from './resultActions.ts';
import { ResultPage } from './resultPage.ts';

export interface ResultEditorParts {
  readonly extensionUri: vscode.Uri;
  readonly keeper: ResultKeeper;
  /** One that VS Code brought back; a new one unless set. */
  readonly panel?: vscode.WebviewPanel;
  readonly onClose: () => void;
}

/** A result in an editor of its own, beside others. It ends with the editor. */
export class ResultEditor implements Disposable {
  readonly result: KeptResult;
  readonly #panel: vscode.WebviewPanel;

  constructor(result: KeptResult, { extensionUri, keeper, panel, onClose }: ResultEditorParts) {
    this.result = result;
    this.#panel = panel ?? vscode.window.createWebviewPanel(panels.result, result.title, vscode.ViewColumn.Active);
    this.#panel.iconPath = new vscode.ThemeIcon('table');
    const page = new ResultPage<KeptResult>({
      ...{ extensionUri, webview: this.#panel.webview, title: result.title },
      isVisible: () => this.#panel.visible,
      actions: {
        of: shown => actionsOf(shown, 'editor'),
        act: (action, shown) => act(action, shown, keeper),
      },
    });
    void page.show(result);
    this.#panel.onDidDispose(() => {
      page.dispose();
      void result.run.dispose();
      onClose();
    });
  }

  dispose(): void {
    this.#panel.dispose();
  }
}
