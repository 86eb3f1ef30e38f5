import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { formatDuration } from '../../base/duration.ts';
import type { StatementRun } from '../../model/results/statementRun.ts';
import { errorMessage } from '../errorMessages.ts';
import { showWait } from '../log/retryWaits.ts';
import { showError, showInformation, showWarning, withoutIcons } from '../notifications.ts';
import { gridLabels } from '../results/gridLabels.ts';
import type { ResultsView } from '../results/resultsView.ts';
import { shortLabel } from './shortLabel.ts';
import type { StatementCall, StatementRunner } from './statementRunner.ts';

export interface BackgroundParts {
  readonly runner: StatementRunner;
  readonly results: ResultsView;
}

/** Runs a statement without opening the results view: progress is in the status bar, pauses and the end are notifications. */
export async function runInBackground(call: StatementCall, { runner, results }: BackgroundParts): Promise<void> {
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
    void showEnd(run, label, results);
  } finally {
    owned.dispose();
  }
}

/** Shows the waits that the service asks for: the result that shows them may be hidden. */
function showWaits(run: StatementRun, project: string): Disposable {
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
  const labels = gridLabels();
  const reason = pause && labels[`paused.${pause.reason}`];
  const resume = labels['action.resume'];
  const finish = labels['action.finish'];
  const show = vscode.l10n.t('Show Results');
  const message = vscode.l10n.t('{0} pauses: {1}', label, reason ?? '');
  const chosen = await showWarning(message, resume, finish, show);
  if (chosen === show) await results.focusOn(run);
  if (chosen === resume) pause?.resume();
  if (chosen === finish) pause?.finish();
}

async function showEnd(run: StatementRun, label: string, results: ResultsView): Promise<void> {
  if (run.state === 'cancelled') return;
  const show = vscode.l10n.t('Show Results');
  const chosen =
    run.state === 'failed'
      ? await showError(vscode.l10n.t('{0} failed: {1}', label, errorMessage(run.error)), show)
      : await showInformation(successMessage(run, label), show);
  if (chosen === show) await results.focusOn(run);
}

function successMessage({ changedRows, rowCount, elapsedMs }: StatementRun, label: string): string {
  const { language } = vscode.env;
  const count = (changedRows ?? rowCount).toLocaleString(language);
  const duration = formatDuration(elapsedMs, language);
  return changedRows === undefined
    ? vscode.l10n.t('{0} ran in {1}. Rows: {2}.', label, duration, count)
    : vscode.l10n.t('{0} ran in {1}. Rows changed: {2}.', label, duration, count);
}
