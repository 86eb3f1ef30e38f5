import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { StatementRun } from '../../model/results/statementRun.ts';
import { showWait } from '../log/retryWaits.ts';
import { showError, showInformation, showWarning, withoutIcons } from '../notifications.ts';
import { errorMessage } from '../errorMessages.ts';
import { gridLabels } from '../results/gridLabels.ts';
import type { ResultsView } from '../results/resultsView.ts';
import { durationOf } from '../documents/durations.ts';
import type { StatementCall, StatementRunner } from './statementRunner.ts';
import { firstWords } from './statementWords.ts';

interface BackgroundParts {
  readonly runner: StatementRunner;
  readonly results: ResultsView;
}

/** Shows in the status bar that a statement runs, asks what has to be decided, and says how it ended, with the way to its rows. */
export async function runInBackground(call: StatementCall, { runner, results }: BackgroundParts): Promise<void> {
  const location = vscode.ProgressLocation.Window;
  const title = withoutIcons(vscode.l10n.t('Running in {0}', call.profile.name));
  const words = firstWords(call.statement.sql);
  const watched: Disposable[] = [];
  const onStart = (run: StatementRun): void => {
    watched.push(watchWaits(run, call.profile.name));
    watched.push(watchPauses(run, () => void askToGoOn(run, words, results)));
  };
  try {
    const run = await vscode.window.withProgress({ location, title }, () => runner.run({ ...call, onStart }));
    void offerRows(run, words, results);
  } finally {
    for (const watch of watched) watch.dispose();
  }
}

/** Its result, which shows a wait that the service asks for, may be in nobody's view. */
function watchWaits(run: StatementRun, project: string): Disposable {
  let wait: AbortController | undefined;
  return run.onChange(() => {
    const asked = run.controls.wait;
    if (!asked) {
      wait?.abort();
      wait = undefined;
    } else if (!wait) {
      wait = new AbortController();
      void showWait(project, { milliseconds: asked.remainingMs, over: wait.signal, giveUp: () => asked.cancel() });
    }
  });
}

function watchPauses(run: StatementRun, paused: () => void): Disposable {
  let { state } = run;
  return run.onChange(() => {
    if (run.state === state) return;
    ({ state } = run);
    if (state === 'paused') paused();
  });
}

async function askToGoOn(run: StatementRun, words: string, results: ResultsView): Promise<void> {
  const labels = gridLabels();
  const { pause } = run.controls;
  const reason = pause && labels[`paused.${pause.reason}`];
  const [goOn, stop, show] = [labels['action.proceed'], labels['action.stopHere'], vscode.l10n.t('Show Results')];
  const chosen = await showWarning(vscode.l10n.t('{0} pauses: {1}', words, reason ?? ''), goOn, stop, show);
  if (chosen === show) await results.focusOn(run);
  if (chosen === goOn) pause?.resume();
  if (chosen === stop) pause?.finish();
}

async function offerRows(run: StatementRun, words: string, results: ResultsView): Promise<void> {
  if (run.state === 'cancelled') return;
  const show = vscode.l10n.t('Show Results');
  const chosen =
    run.state === 'failed'
      ? await showError(vscode.l10n.t('{0} failed: {1}', words, errorMessage(run.error)), show)
      : await showInformation(sentenceForEnd(run, words), show);
  if (chosen === show) await results.focusOn(run);
}

function sentenceForEnd({ changedRows, rowCount, elapsedMs }: StatementRun, words: string): string {
  const [count, time] = [(changedRows ?? rowCount).toLocaleString(vscode.env.language), durationOf(elapsedMs)];
  return changedRows === undefined
    ? vscode.l10n.t('{0} ran in {1}. Rows: {2}.', words, time, count)
    : vscode.l10n.t('{0} ran in {1}. Rows changed: {2}.', words, time, count);
}
