import * as vscode from 'vscode';
import { formatDuration } from '../../base/formats.ts';
import type { Profile } from '../../model/profiles.ts';
import { settings } from '../names.ts';
import { showInformation, showWarning, withoutLinks } from '../notifications.ts';
import { decide, type Look } from '../questions.ts';
import { withNotification } from '../progress.ts';
import { goToStatement, originIn } from '../results/goToStatement.ts';
import { runErrorMessage } from '../results/runProblem.ts';
import type { FaultPolicy, ScriptFault, ScriptProgress, ScriptSummary } from './scriptRunner.ts';
import { shortLabel } from './riskQuestion.ts';
import { statementFault } from './statementFault.ts';
import { numberText } from '../numbers.ts';

export const vscodeScriptPrompts = {
  withScriptProgress,
  faultPolicy(document: vscode.TextDocument | undefined): FaultPolicy {
    const setting = vscode.workspace.getConfiguration(undefined, document).get<string>(settings.onFault);
    return setting === 'stop' || setting === 'continue' ? setting : 'ask';
  },
  async confirmContinue({ sql, error, remainingCount, document, mark }: ScriptFault): Promise<boolean> {
    const question = vscode.l10n.t('A statement of the script failed. Continue with the rest?');
    const remaining =
      remainingCount === 1
        ? vscode.l10n.t('1 statement has not run yet.')
        : vscode.l10n.t('{0} statements have not run yet.', numberText(remainingCount));
    // The mark has the hint as well.
    const { state } = mark;
    const message = (state.kind === 'failed' && state.fault?.message) || runErrorMessage(error);
    const detail = [shortLabel(sql), message, remaining].join('\n\n');
    const showError = (): Promise<void> =>
      goToStatement({ statement: sql, origin: originIn(document, mark) }, statementFault(sql, error, ''));
    const goOn = vscode.l10n.t('Continue');
    const look: Look = { shows: 'error', run: showError };
    return (await decide(question, detail, look, [goOn], vscode.l10n.t('Stop'))) === goOn;
  },
  showSummary: (summary: ScriptSummary): void => void showSummary(summary),
};

/** Shows progress until `run` settles. */
async function withScriptProgress({ name }: Profile, run: (progress: ScriptProgress) => Promise<void>): Promise<void> {
  await withNotification(vscode.l10n.t('Running a script in {0}', name), (progress, signal) =>
    run({
      signal,
      showStatement(number, totalCount, sql) {
        const label = shortLabel(sql);
        const message = vscode.l10n.t('{0} of {1}: {2}', numberText(number), numberText(totalCount), label);
        progress.report({
          message: withoutLinks(message),
          increment: number === 1 ? 0 : 100 / totalCount,
        });
      },
    }),
  );
}

async function showSummary(summary: ScriptSummary): Promise<void> {
  const isComplete = summary.succeededCount === summary.totalCount;
  await (isComplete ? showInformation(summaryText(summary)) : showWarning(summaryText(summary)));
}

/** Such as "4 statements: 3 succeeded, 1 failed · 84 ms". */
export function summaryText(summary: ScriptSummary): string {
  const { totalCount, succeededCount, failedCount, cancelledCount, elapsedMs } = summary;
  const skippedCount = totalCount - succeededCount - failedCount - cancelledCount;
  const parts = [
    vscode.l10n.t('{0} succeeded', numberText(succeededCount)),
    failedCount > 0 ? vscode.l10n.t('{0} failed', numberText(failedCount)) : '',
    cancelledCount > 0 ? vscode.l10n.t('{0} cancelled', numberText(cancelledCount)) : '',
    skippedCount > 0 ? vscode.l10n.t('{0} not run', numberText(skippedCount)) : '',
  ];
  const outcomes = parts.filter(part => part !== '').join(', ');
  const duration = formatDuration(elapsedMs, vscode.env.language);
  return vscode.l10n.t('{0} statements: {1} · {2}', numberText(totalCount), outcomes, duration);
}
