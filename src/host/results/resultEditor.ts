import * as vscode from 'vscode';
import { panels } from '../names.ts';
import type { KeptResult } from './keptResult.ts';
import { act, actionsOf, type ResultKeeper } from './resultActions.ts';
import { ResultPage } from './resultPage.ts';

export interface ResultEditorParts {
  readonly extensionUri: vscode.Uri;
  readonly keeper: ResultKeeper;
  /** One that VS Code brought back; a new one unless set. */
  readonly panel?: vscode.WebviewPanel | undefined;
  readonly onClose: () => void;
}

/** Shows a result in an editor of its own, beside others. */
export function openResultEditor(
  result: KeptResult,
  {
    extensionUri,
    keeper,
    panel = vscode.window.createWebviewPanel(panels.result, result.title, vscode.ViewColumn.Active),
    onClose,
  }: ResultEditorParts,
): void {
  panel.iconPath = new vscode.ThemeIcon('table');
  const page = new ResultPage<KeptResult>({
    ...{ extensionUri, webview: panel.webview, title: result.title },
    isVisible: () => panel.visible,
    actions: {
      of: shown => actionsOf(shown, 'editor'),
      act: (action, shown) => act(action, shown, keeper),
    },
  });
  void page.show(result);
  panel.onDidDispose(() => {
    page.dispose();
    onClose();
  });
}
