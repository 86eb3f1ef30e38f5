import * as vscode from 'vscode';

export interface RestoredPanel {
  readonly panel: vscode.WebviewPanel;
  readonly state: unknown;
  /** Aborted when the panel is closed. Asking the panel itself would throw then. */
  readonly closed: AbortSignal;
}

/** Hands over the panels of a kind that VS Code brings back, which may be closed while what fills them is read. */
export function restorePanels(type: string, restore: (restored: RestoredPanel) => Promise<void>): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(type, {
    deserializeWebviewPanel: (panel, state: unknown) => restore({ panel, state, closed: closedSignal(panel) }),
  });
}

function closedSignal(panel: vscode.WebviewPanel): AbortSignal {
  const closing = new AbortController();
  panel.onDidDispose(() => closing.abort());
  return closing.signal;
}
