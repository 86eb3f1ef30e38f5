import * as vscode from 'vscode';
import { formatDuration } from '../../base/duration.ts';
import type { Profile } from '../../model/profiles.ts';
import { errorMessage } from '../errorMessages.ts';
import { settings } from '../names.ts';
import { confirm, showInformation, showWarning, withoutLinks } from '../notifications.ts';
import { signalOf } from '../progress.ts';
import type { ScriptFault, ScriptProgress, ScriptPrompts, ScriptSummary } from './scriptRunner.ts';
import { shortLabel } from './shortLabel.ts';

/** The texts and inputs of scripts in VS Code. */
export const vscodeScriptPrompts: ScriptPrompts = {
  withScriptProgress,
  faultPolicy(document) {
    const setting = vscode.workspace.getConfiguration(undefined, document).get<string>(settings.onFault);
    return setting === 'stop' || setting === 'continue' ? setting : 'ask';
  },
  confirmContinue({ sql, error, remainingCount }: ScriptFault) {
    const question = vscode.l10n.t('A statement of the script failed. Run the rest of it?');
    const remaining = vscode.l10n.t('Statements left: {0}', formatCount(remainingCount));
    const detail = [shortLabel(sql), errorMessage(error), remaining].join('\n\n');
    return confirm(question, detail, vscode.l10n.t('Go On'));
  },
  showSummary: summary => void showSummary(summary),
};

async function withScriptProgress({ name }: Profile, run: (progress: ScriptProgress) => Promise<void>): Promise<void> {
  const options: vscode.ProgressOptions = {
    location: vscode.ProgressLocation.Notification,
    title: withoutLinks(vscode.l10n.t('Running a script in {0}', name)),
    cancellable: true,
  };
  await vscode.window.withProgress(options, (progress, token) =>
    run({
      signal: signalOf(token),
      showStatement(number, totalCount, sql) {
        const label = shortLabel(sql);
        const message = vscode.l10n.t('{0} of {1}: {2}', formatCount(number), formatCount(totalCount), label);
        progress.report({
          message: withoutLinks(message),
          increment: number === 1 ? 0 : 100 / totalCount,
        });
      },
    }),
  );
}

async function showSummary(summary: ScriptSummary): Promise<void> {
  const { totalCount, succeededCount, failedCount, cancelledCount, elapsedMs } = summary;
  const duration = formatDuration(elapsedMs, vscode.env.language);
  const total = formatCount(totalCount);
  if (succeededCount === totalCount) {
    await showInformation(vscode.l10n.t('All {0} statements ran in {1}.', total, duration));
    return;
  }
  const skippedCount = totalCount - succeededCount - failedCount - cancelledCount;
  const parts = [
    vscode.l10n.t('{0} of {1} statements ran in {2}.', formatCount(succeededCount), total, duration),
    failedCount > 0 ? vscode.l10n.t('Failed: {0}.', formatCount(failedCount)) : '',
    cancelledCount > 0 ? vscode.l10n.t('Given up: {0}.', formatCount(cancelledCount)) : '',
    skippedCount > 0 ? vscode.l10n.t('Not run: {0}.', formatCount(skippedCount)) : '',
  ];
  await showWarning(parts.filter(part => part !== '').join(' '));
}

const formatCount = (count: number): string => count.toLocaleString(vscode.env.language);
