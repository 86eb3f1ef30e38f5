import { once } from 'node:events';
import * as vscode from 'vscode';
import { type Logger, logFields } from '../../base/logger.ts';
import { formatDuration } from '../../base/formats.ts';
import type { RetryWait } from '../../client/index.ts';
import { withoutLinks } from '../notifications.ts';

/** Logs the waits before retries. A wait that the service asks for is also shown. The others are too short to read. */
export function watchWaits(log: Logger, project: () => string): (wait: RetryWait) => void {
  return wait => {
    log.debug(logFields([project(), wait.fault.code, `retrying in ${formatDuration(wait.milliseconds, 'en-US')}`]));
    // A run shows its wait in its own result.
    if (!wait.isWatched && wait.isRequested) void showWait(project(), wait);
  };
}

/** Resolves when the wait is over. */
export async function showWait(
  project: string,
  { milliseconds, over, stopRetrying }: Pick<RetryWait, 'milliseconds' | 'over' | 'stopRetrying'>,
): Promise<void> {
  const title = withoutLinks(vscode.l10n.t('{0} is busy', project));
  const endsAt = Date.now() + milliseconds;
  const location = vscode.ProgressLocation.Notification;
  await vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const showTimeLeft = (): void => {
      const secondsLeft = Math.max(1, Math.ceil((endsAt - Date.now()) / 1000));
      const timeLeft = formatDuration(secondsLeft * 1000, vscode.env.language, 0);
      progress.report({ message: vscode.l10n.t('retrying in {0}', timeLeft) });
    };
    token.onCancellationRequested(stopRetrying);
    showTimeLeft();
    const timer = setInterval(showTimeLeft, 1000);
    if (!over.aborted) await once(over, 'abort');
    clearInterval(timer);
  });
}
