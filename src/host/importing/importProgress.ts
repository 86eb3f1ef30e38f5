import * as vscode from 'vscode';
import { formatDuration } from '../../base/duration.ts';
import type { Clock } from '../../base/clock.ts';
import { ImportRate } from '../../model/importing/importRate.ts';
import type { ImportRun } from '../../model/importing/importRun.ts';
import type { ImportWork } from '../../model/importing/journal.ts';
import { commands } from '../names.ts';
import { withoutIcons, withoutLinks } from '../notifications.ts';
import { workTexts } from './workTexts.ts';
import { numberText, rowsText } from '../numbers.ts';

/** Messages that change more often cannot be read. */
const messageDelayMs = 250;

/** Shows an import while it runs: a notification with its figures, and a button in the status bar that pauses it. */
export async function showProgress(
  run: ImportRun,
  { table, work, clock }: { readonly table: string; readonly work: ImportWork; readonly clock: Clock },
): Promise<void> {
  const texts = workTexts[work];
  const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  status.command = commands.pauseImport;
  const options: vscode.ProgressOptions = {
    location: vscode.ProgressLocation.Notification,
    title: withoutLinks(texts.title(table)),
    cancellable: true,
  };
  await vscode.window.withProgress(options, async (progress, token) => {
    const rate = new ImportRate(run, clock);
    let reported = 0;
    const report = (): void => {
      const percent = Math.floor((run.share ?? 0) * 100);
      progress.report({ message: messageOf(run, rate), increment: percent - reported });
      reported = percent;
      const isPaused = run.state === 'paused';
      const shown = withoutIcons(table);
      status.text = isPaused ? `$(debug-continue) ${texts.paused(shown)}` : `$(debug-pause) ${texts.running(shown)}`;
      status.tooltip = isPaused ? vscode.l10n.t('Resume') : vscode.l10n.t('Pause');
    };
    const timer = setInterval(report, messageDelayMs);
    const listener = token.onCancellationRequested(() => run.cancel());
    report();
    status.show();
    try {
      await run.start();
    } finally {
      clearInterval(timer);
      listener.dispose();
      status.dispose();
    }
  });
}

function messageOf(run: ImportRun, measured: ImportRate): string {
  const { language } = vscode.env;
  const { counts } = run.progress;
  const { rate, remainingMs } = measured.read();
  const parts = [rowsText(counts.sentRows)];
  if (counts.rejectedRows > 0) parts.push(vscode.l10n.t('{0} rejected', numberText(counts.rejectedRows)));
  if (run.state === 'paused') parts.push(vscode.l10n.t('paused'));
  else if (run.remainingWaitMs !== undefined) {
    parts.push(vscode.l10n.t('the service asks to wait {0}', formatDuration(run.remainingWaitMs, language, 0)));
  } else {
    if (rate !== undefined) parts.push(vscode.l10n.t('{0} per second', rowsText(Math.round(rate))));
    if (remainingMs !== undefined) parts.push(vscode.l10n.t('{0} left', formatDuration(remainingMs, language, 0)));
  }
  return parts.join(' · ');
}
