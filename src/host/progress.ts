import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { withoutLinks } from './notifications.ts';

/** What is done sooner, in milliseconds, is done before anybody could read that it is under way. */
const unnoticed = 300;

/** Shows of what takes its time that it does, with a way to give it up, which rejects with a CancellationError. */
export async function withProgress<T>(title: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const work = run(controller.signal);
  const ended = work.then(
    () => true,
    () => true,
  );
  if (await Promise.race([ended, delay(unnoticed, false, { ref: false })])) return work;
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress(
    { location, title: withoutLinks(title), cancellable: true },
    async (_progress, token) => {
      const listener = token.onCancellationRequested(() => controller.abort(new vscode.CancellationError()));
      try {
        return await work;
      } finally {
        listener.dispose();
      }
    },
  );
}
