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

/** The message of a notification, and by how many percent its bar grows. */
export type NotifiedProgress = vscode.Progress<{ message?: string; increment?: number }>;

/** Shows a notification with a button to cancel while the work runs. The work knows how far it is. */
export async function withNotification<T>(
  title: string,
  run: (progress: NotifiedProgress, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const location = vscode.ProgressLocation.Notification;
  const options = { location, title: withoutLinks(title), cancellable: true };
  return vscode.window.withProgress(options, (progress, token) => run(progress, signalOf(token)));
}

export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new vscode.CancellationError());
  if (token.isCancellationRequested) abort();
  else token.onCancellationRequested(abort);
  return controller.signal;
}
