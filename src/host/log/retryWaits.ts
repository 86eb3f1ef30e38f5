import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import { asCount, asRecord } from '../../base/decode.ts';
import type { RetryWait } from '../../client/index.ts';
import { withoutLinks } from '../notifications.ts';

/**
 * Tells of the pauses before requests that are sent again. One that the service asks for is shown with what is left of it
 * and a way out; the others are over before anybody could read of them.
 */
export function watchWaits(log: Logger, project: string): (wait: RetryWait) => void {
  return wait => {
    log.warn(`${project}: ${wait.fault.code}, again in ${Math.round(wait.milliseconds)} ms`);
    // A run shows its wait where its rows will be.
    if (!wait.isWatched && asCount(asRecord(wait.fault)?.['retryAfter']) !== undefined) void showWait(project, wait);
  };
}

/** Settles when the wait is over. */
export async function showWait(
  project: string,
  { milliseconds, over, stopRetrying }: Pick<RetryWait, 'milliseconds' | 'over' | 'stopRetrying'>,
): Promise<void> {
  const title = withoutLinks(vscode.l10n.t('{0} asks to wait', project));
  const until = Date.now() + milliseconds;
  const location = vscode.ProgressLocation.Notification;
  await vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const tell = (): void => {
      const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      progress.report({ message: vscode.l10n.t('trying again in {0} s', left) });
    };
    token.onCancellationRequested(stopRetrying);
    tell();
    const timer = setInterval(tell, 1000);
    await ended(over);
    clearInterval(timer);
  });
}

function ended(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}
