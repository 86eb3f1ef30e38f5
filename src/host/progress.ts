import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { withoutLinks } from './notifications.ts';

/** Work that ends sooner shows no progress: nobody could read it. */
const progressDelayMs = 300;

/** Shows a cancellable progress notification while the work runs. Cancelling rejects with a CancellationError. */
export async function withProgress<T>(title: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const work = run(controller.signal);
  const ended = Promise.allSettled([work]);
  if (await Promise.race([ended, delay(progressDelayMs, false, { ref: false })])) return work;
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title: withoutLinks(title), cancellable: true }, (_progress, token) => {
    token.onCancellationRequested(() => controller.abort(new vscode.CancellationError()));
    return work;
  });
}

export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new vscode.CancellationError());
  if (token.isCancellationRequested) abort();
  else token.onCancellationRequested(abort);
  return controller.signal;
}
