import * as vscode from 'vscode';
import { formatDuration } from '../../base/duration.ts';
import type { Clock } from '../../base/clock.ts';
import type { ImportRun } from '../../model/importing/importRun.ts';
import type { ImportWork } from '../../model/importing/journal.ts';
import { commands } from '../names.ts';
import { withoutIcons, withoutLinks } from '../notifications.ts';
import { localized, rowsText } from './importTexts.ts';
import { workTexts } from './workTexts.ts';

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
    const watch = new RateWatch(run, clock);
    let reported = 0;
    const report = (): void => {
      const percent = Math.floor((run.share ?? 0) * 100);
      progress.report({ message: messageOf(run, watch), increment: percent - reported });
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

/** Measures how fast rows go, without the time in which the import is paused or waits. */
class RateWatch {
  readonly #run: ImportRun;
  readonly #clock: Clock;
  readonly #firstShare: number;
  readonly #firstRows: number;
  #activeMs = 0;
  #lastAt: number;

  constructor(run: ImportRun, clock: Clock) {
    this.#run = run;
    this.#clock = clock;
    this.#firstShare = run.share ?? 0;
    this.#firstRows = run.progress.counts.sentRows;
    this.#lastAt = clock.now();
  }

  /** Rows a second and the time left, in milliseconds. Undefined until they are known. */
  read(): { readonly rate: number | undefined; readonly remainingMs: number | undefined } {
    const now = this.#clock.now();
    if (this.#run.state === 'running') this.#activeMs += now - this.#lastAt;
    this.#lastAt = now;
    const rows = this.#run.progress.counts.sentRows - this.#firstRows;
    const share = this.#run.share ?? 0;
    const done = share - this.#firstShare;
    return {
      rate: rows > 0 && this.#activeMs > 0 ? (1000 * rows) / this.#activeMs : undefined,
      remainingMs: done > 0 ? ((1 - share) / done) * this.#activeMs : undefined,
    };
  }
}

function messageOf(run: ImportRun, watch: RateWatch): string {
  const { language } = vscode.env;
  const { counts } = run.progress;
  const { rate, remainingMs } = watch.read();
  const parts = [rowsText(counts.sentRows)];
  if (counts.rejectedRows > 0) parts.push(vscode.l10n.t('{0} rejected', localized(counts.rejectedRows)));
  if (run.state === 'paused') parts.push(vscode.l10n.t('paused'));
  else if (run.remainingWaitMs !== undefined) {
    parts.push(vscode.l10n.t('the service asks to wait {0}', formatDuration(run.remainingWaitMs, language, 0)));
  } else {
    if (rate !== undefined) parts.push(vscode.l10n.t('{0} per second', rowsText(Math.round(rate))));
    if (remainingMs !== undefined) parts.push(vscode.l10n.t('{0} left', formatDuration(remainingMs, language, 0)));
  }
  return parts.join(' · ');
}
