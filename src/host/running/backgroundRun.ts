import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ResultRun } from '../../model/results/resultRun.ts';
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
  const onStart = (run: ResultRun): void => {
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
function watchWaits(run: ResultRun, project: string): Disposable {
  let wait: AbortController | undefined;
  return run.onChange(() => {
    const milliseconds = run.waitsMs;
    if (milliseconds === undefined) {
      wait?.abort();
      wait = undefined;
    } else if (!wait) {
      wait = new AbortController();
      void showWait(project, { milliseconds, over: wait.signal, giveUp: () => run.giveUp() });
    }
  });
}

function watchPauses(run: ResultRun, paused: () => void): Disposable {
  let { phase } = run;
  return run.onChange(() => {
    if (run.phase === phase) return;
    ({ phase } = run);
    if (phase === 'paused') paused();
  });
}

async function askToGoOn(run: ResultRun, words: string, results: ResultsView): Promise<void> {
  const labels = gridLabels();
  const reason = run.pausedBy && labels[`paused.${run.pausedBy}`];
  const [goOn, stop, show] = [labels['action.proceed'], labels['action.stopHere'], vscode.l10n.t('Show Results')];
  const chosen = await showWarning(vscode.l10n.t('{0} pauses: {1}', words, reason ?? ''), goOn, stop, show);
  if (chosen === show) await results.focusOn(run);
  if (run.phase !== 'paused') return;
  if (chosen === goOn) run.proceed();
  if (chosen === stop) run.cancel();
}

async function offerRows(run: ResultRun, words: string, results: ResultsView): Promise<void> {
  if (run.phase === 'cancelled') return;
  const show = vscode.l10n.t('Show Results');
  const chosen =
    run.phase === 'failed'
      ? await showError(vscode.l10n.t('{0} failed: {1}', words, errorMessage(run.error)), show)
      : await showInformation(sentenceForEnd(run, words), show);
  if (chosen === show) await results.focusOn(run);
}

function sentenceForEnd({ changed, rowCount, elapsedMs }: ResultRun, words: string): string {
  const [count, time] = [(changed ?? rowCount).toLocaleString(vscode.env.language), durationOf(elapsedMs)];
  return changed === undefined
    ? vscode.l10n.t('{0} ran in {1}. Rows: {2}.', words, time, count)
    : vscode.l10n.t('{0} ran in {1}. Rows changed: {2}.', words, time, count);
}
