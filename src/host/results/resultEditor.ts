import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { panels } from '../names.ts';
import type { Result } from './result.ts';
import { ResultPage } from './resultPage.ts';

/** A result in an editor of its own, beside others. It ends with the editor. */
export class ResultEditor implements Disposable {
  readonly #panel: vscode.WebviewPanel;

  constructor(extensionUri: vscode.Uri, result: Result, onClose: () => void) {
    const { statement, title = statement } = result.subject;
    this.#panel = vscode.window.createWebviewPanel(panels.result, shortened(title), vscode.ViewColumn.Active);
    this.#panel.iconPath = new vscode.ThemeIcon('table');
    const page = new ResultPage({
      ...{ extensionUri, webview: this.#panel.webview, title: vscode.l10n.t('SQL Result') },
      isVisible: () => this.#panel.visible,
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

/** A statement as a tab can show it. */
const shortened = (title: string): string => {
  const line = title.replace(/[;\s]+$/, '').replaceAll(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
};
