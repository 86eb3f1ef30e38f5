import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { formatDuration } from '../../base/formats.ts';
import type { StatementRun } from '../../model/results/statementRun.ts';
import { pauseText } from '../../protocol/pauseText.ts';
import { showWait } from '../log/retryWaits.ts';
import { showError, showInformation, showWarning, withoutIcons } from '../notifications.ts';
import { runErrorMessage } from '../results/runProblem.ts';
import type { ResultsView } from '../results/resultsView.ts';
import { type AnalyzedStatement } from './boundStatement.ts';
import { outcomeText } from './outcomeText.ts';
import { shortLabel } from './riskQuestion.ts';
import type { StatementCall, StatementRunner } from './statementRunner.ts';
import { rowsText } from '../numbers.ts';

/** Runs a statement without opening the results view. The status bar shows progress. Pauses and the end are notifications. */
export async function runInBackground(
  call: StatementCall,
  runner: StatementRunner,
  results: ResultsView,
): Promise<void> {
  const { name } = call.profile;
  const label = shortLabel(call.statement.sql);
  const owned = new DisposableStore();
  const onStart = (run: StatementRun): void => {
    owned.add(showWaits(run, name));
    owned.add(onPause(run, () => void promptToResume(run, label, results)));
  };
  const progress = {
    location: vscode.ProgressLocation.Window,
    title: withoutIcons(vscode.l10n.t('Running in {0}', name)),
  };
  try {
    const run = await vscode.window.withProgress(progress, () => runner.run({ ...call, onStart }));
    void showEnd(run, call.statement, results);
  } finally {
    owned.dispose();
  }
}

/** Shows the waits that the service asks for as notifications: the result may be hidden. */
export function showWaits(run: StatementRun, project: string): Disposable {
  let notification: AbortController | undefined;
  return run.onChange(() => {
    const { wait } = run.controls;
    if (!wait) {
      notification?.abort();
      notification = undefined;
    } else if (!notification) {
      notification = new AbortController();
      void showWait(project, {
        milliseconds: wait.remainingMs,
        over: notification.signal,
        stopRetrying: () => wait.cancel(),
      });
    }
  });
}

function onPause(run: StatementRun, listener: () => void): Disposable {
  let previousState = run.state;
  return run.onChange(() => {
    if (run.state === previousState) return;
    previousState = run.state;
    if (run.state === 'paused') listener();
  });
}

async function promptToResume(run: StatementRun, label: string, results: ResultsView): Promise<void> {
  const { pause } = run.controls;
  const { rowCount, sizeBytes: bytes } = run;
  const reason = pause && pauseText(pause.reason, { rowCount, bytes }, vscode.env.language);
  const resume = vscode.l10n.t('Continue');
  const finish = vscode.l10n.t('Finish');
  const show = vscode.l10n.t('Show Results');
  const message = vscode.l10n.t('{0}: {1}', label, reason ?? '');
  const chosen = await showWarning(message, resume, finish, show);
  if (chosen === show) await (await results.panel()).results.focusOn(run);
  if (chosen === resume) pause?.resume();
  if (chosen === finish) pause?.finish();
}

async function showEnd(run: StatementRun, statement: AnalyzedStatement, results: ResultsView): Promise<void> {
  if (run.state === 'cancelled') return;
  const label = shortLabel(statement.sql);
  const show = vscode.l10n.t('Show Results');
  const chosen =
    run.state === 'failed'
      ? await showError(vscode.l10n.t('{0} failed: {1}', label, runErrorMessage(run.error)), show)
      : await showInformation(successMessage(run, statement), show);
  if (chosen === show) await (await results.panel()).results.focusOn(run);
}

function successMessage({ changedRows, rowCount, elapsedMs }: StatementRun, statement: AnalyzedStatement): string {
  const outcome = changedRows === undefined ? rowsText(rowCount) : outcomeText(statement, changedRows);
  const duration = formatDuration(elapsedMs, vscode.env.language);
  return vscode.l10n.t('{0}: {1} · {2}', shortLabel(statement.sql), outcome, duration);
}
