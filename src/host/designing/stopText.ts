import * as vscode from 'vscode';
import { runErrorMessage } from '../results/runProblem.ts';
import type { SequenceStop } from '../../model/results/statementSequence.ts';

interface StopTextOptions {
  readonly stop: SequenceStop;
  /** Says why it stopped, where the error of the service does not. */
  readonly reason?: string | undefined;
  /** Says what each statement does. */
  readonly titles: readonly string[];
  /** Whether all that ran before was taken back. */
  readonly isUndone: boolean;
  /** Says why not everything was taken back that should have been. */
  readonly undoStop?: string | undefined;
}

/** Says at which statement a sequence has stopped and why, which statements have run, and which have not. */
export function stopText({ stop, reason, titles, isUndone, undoStop }: StopTextOptions): string {
  const { index, error, isUnknown } = stop;
  const place = [index + 1, titles.length, titles[index] ?? ''] as const;
  const failure = isUnknown
    ? vscode.l10n.t(
        'No answer came to statement {0} of {1} ({2}), so it is unknown whether it ran. Choose Continue: it is sent with the same key and does not run twice.',
        ...place,
      )
    : vscode.l10n.t('Statement {0} of {1} failed ({2}).', ...place);
  const effect = undoStop ?? (isUndone ? undoneText(index) : ranText(index));
  return [failure, reason ?? runErrorMessage(error), effect, restText(titles.length - index - 1)]
    .filter(text => text !== '')
    .join('\n');
}

interface UndoStopTextOptions {
  readonly stop: SequenceStop;
  /** The number of statements of the whole undo. */
  readonly count: number;
  /** The number of statements that had run; 0 if an earlier window has sent them. */
  readonly ranCount: number;
  /** The number of those that are not taken back, or not for certain. */
  readonly leftCount: number;
}

/** Says at which statement an undo has stopped and why, what it has taken back, and what stays. */
export function undoStopText({ stop, count, ranCount, leftCount }: UndoStopTextOptions): string {
  const { index, error, isUnknown } = stop;
  const lines =
    ranCount === 0
      ? [undoPlace(index + 1, count, isUnknown), runErrorMessage(error)]
      : [
          isUnknown
            ? vscode.l10n.t(
                'No answer came when statement {0} was undone, so it is unknown whether it stays.',
                leftCount,
              )
            : vscode.l10n.t('Statement {0} could not be undone.', leftCount),
          runErrorMessage(error),
          undoneRangeText(leftCount + 1, ranCount),
          leftText(isUnknown ? leftCount - 1 : leftCount),
        ];
  const advice = isUnknown
    ? vscode.l10n.t('Choose Undo Statements: it continues with the same key, so that nothing runs twice.')
    : vscode.l10n.t('Choose Undo Statements: it continues where it stopped.');
  return [...lines, advice].filter(text => text !== '').join('\n');
}

const undoPlace = (number: number, count: number, isUnknown: boolean): string =>
  isUnknown
    ? vscode.l10n.t(
        'No answer came to statement {0} of {1} of the undo, so it is unknown whether it ran.',
        number,
        count,
      )
    : vscode.l10n.t('Statement {0} of {1} of the undo failed. Those before it have run.', number, count);

function undoneRangeText(from: number, to: number): string {
  if (from > to) return vscode.l10n.t('No statement was undone.');
  return from === to
    ? vscode.l10n.t('Statement {0} was undone.', from)
    : vscode.l10n.t('Statements {0} to {1} were undone.', from, to);
}

const leftText = (count: number): string => (count === 0 ? '' : ranText(count));

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
    ? vscode.l10n.t('The statement after it was not sent.')
    : vscode.l10n.t('Statements after it were not sent: {0}.', count);
}
