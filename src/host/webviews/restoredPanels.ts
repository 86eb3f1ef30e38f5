import * as vscode from 'vscode';

export interface RestoredPanel {
  readonly panel: vscode.WebviewPanel;
  readonly state: unknown;
  /** Aborts when the panel is closed: a closed panel throws when it is read. */
  readonly closeSignal: AbortSignal;
}

/** Restores the panels of a type after a reload. The user may close a panel while its code is loading. */
export function restorePanels(type: string, restore: (restored: RestoredPanel) => Promise<void>): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(type, {
    deserializeWebviewPanel: (panel, state: unknown) => restore({ panel, state, closeSignal: closedSignal(panel) }),
  });
}

function closedSignal(panel: vscode.WebviewPanel): AbortSignal {
  const closing = new AbortController();
  panel.onDidDispose(() => closing.abort());
  return closing.signal;
}
