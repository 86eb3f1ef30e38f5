import * as vscode from 'vscode';
import { runErrorMessage } from '../results/runErrorMessage.ts';
import type { SequenceStop } from './statementSequence.ts';

export interface StopTextOptions {
  readonly stop: SequenceStop;
  /** Says what each statement does. */
  readonly titles: readonly string[];
  /** Whether all that ran before was taken back. */
  readonly isUndone: boolean;
}

/** Says at which statement a sequence has stopped and why, which statements have run, and which have not. */
export function stopText({ stop, titles, isUndone }: StopTextOptions): string {
  const { index, error, isUnknown } = stop;
  const reason = runErrorMessage(error);
  const place = [index + 1, titles.length, titles[index] ?? ''] as const;
  const failure = isUnknown
    ? vscode.l10n.t(
        'No answer came to statement {0} of {1} ({2}), so it is unknown whether it ran. Choose Continue: it is sent with the same key and does not run twice.',
        ...place,
      )
    : vscode.l10n.t('Statement {0} of {1} failed ({2}).', ...place);
  return [failure, reason, isUndone ? undoneText(index) : ranText(index), restText(titles.length - index - 1)]
    .filter(text => text !== '')
    .join('\n');
}

function undoneText(count: number): string {
  return count === 1
    ? vscode.l10n.t('The statement before it was undone, so the table is as it was.')
    : vscode.l10n.t('Statements 1 to {0} were undone, so the table is as it was.', count);
}

function ranText(count: number): string {
  if (count === 0) return vscode.l10n.t('No statement before it has run.');
  return count === 1
    ? vscode.l10n.t('Statement 1 has run, and its change stays.')
    : vscode.l10n.t('Statements 1 to {0} have run, and their changes stay.', count);
}

function restText(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? vscode.l10n.t('The statement behind it was not sent.')
    : vscode.l10n.t('Statements behind it were not sent: {0}.', count);
}
