import * as vscode from 'vscode';
import type { ResultRun } from '../../model/results/resultRun.ts';
import { views } from '../names.ts';
import { complain, tell, withoutIcons } from '../notifications.ts';
import { sentenceFor } from '../problems.ts';
import { durationOf } from './durations.ts';
import type { StatementCall } from './statementRunner.ts';
import { firstWords } from './statementWords.ts';

/** Shows in the status bar that a statement runs, and says when it has ended, with the way to its rows. */
export async function reportInBackground(
  { statement, profile }: StatementCall,
  run: () => Promise<ResultRun>,
): Promise<void> {
  const location = vscode.ProgressLocation.Window;
  const title = withoutIcons(vscode.l10n.t('Running in {0}', profile.name));
  const ended = await vscode.window.withProgress({ location, title }, run);
  void offerRows(ended, firstWords(statement.sql));
}

async function offerRows(run: ResultRun, words: string): Promise<void> {
  if (run.phase === 'cancelled') return;
  const show = vscode.l10n.t('Show Results');
  const chosen =
    run.phase === 'failed'
      ? await complain(vscode.l10n.t('{0} failed: {1}', words, sentenceFor(run.error)), show)
      : await tell(sentenceForEnd(run, words), show);
  if (chosen === show) await vscode.commands.executeCommand(`${views.results}.focus`);
}

function sentenceForEnd({ changed, rowCount, elapsedMs }: ResultRun, words: string): string {
  const [count, time] = [(changed ?? rowCount).toLocaleString(vscode.env.language), durationOf(elapsedMs)];
  return changed === undefined
    ? vscode.l10n.t('{0} ran in {1}. Rows: {2}.', words, time, count)
    : vscode.l10n.t('{0} ran in {1}. Rows changed: {2}.', words, time, count);
}
