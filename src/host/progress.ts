import * as vscode from 'vscode';
import { withoutLinks } from './notifications.ts';

/** Shows that something takes its time, with a way to give it up, which rejects with a CancellationError. */
export async function withProgress<T>(title: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress(
    { location, title: withoutLinks(title), cancellable: true },
    async (_progress, token) => {
      const controller = new AbortController();
      const listener = token.onCancellationRequested(() => controller.abort(new vscode.CancellationError()));
      try {
        return await run(controller.signal);
      } finally {
        listener.dispose();
      }
    },
  );
}
