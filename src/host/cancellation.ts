import * as vscode from 'vscode';

/** A token of VS Code as the signal that everything below the host takes. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new vscode.CancellationError());
  if (token.isCancellationRequested) abort();
  else token.onCancellationRequested(abort);
  return controller.signal;
}
