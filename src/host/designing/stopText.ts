import * as vscode from 'vscode';
import { runErrorMessage } from '../results/runProblem.ts';
import type { SequenceStop } from '../../model/results/statementSequence.ts';

interface StopTextOptions {
  readonly stop: SequenceStop;
  /** Why it stopped, if the error of the service does not say so. */
  readonly reason?: string | undefined;
  /** Says what each statement does. */
  readonly titles: readonly string[];
  /** False if the statement may have run, and could run twice if it were sent again. */
  readonly canContinue: boolean;
  /** Whether all statements that had run were undone. */
  readonly isUndone: boolean;
  /** Why the undo has stopped. */
  readonly undoStop?: string | undefined;
}

/** Says at which statement a sequence has stopped and why, which statements have run, and which have not. */
export function stopText({ stop, reason, titles, canContinue, isUndone, undoStop }: StopTextOptions): string {
  const { index, error, isUnknown } = stop;
  const place = [index + 1, titles.length, titles[index] ?? ''] as const;
  const unknown = canContinue
    ? vscode.l10n.t(
        'No answer came to statement {0} of {1} ({2}), so it is unknown whether it ran. Choose Continue: it is sent with the same key and does not run twice.',
        ...place,
      )
    : vscode.l10n.t('No answer came to statement {0} of {1} ({2}), so it is unknown whether it ran.', ...place);
  const failure = isUnknown ? unknown : vscode.l10n.t('Statement {0} of {1} failed ({2}).', ...place);
  const effect = isUndone
    ? rangeText(1, index, range => vscode.l10n.t('Undone: {0}. The table is as it was.', range))
    : ranText(index);
  const rest = rangeText(index + 2, titles.length, range => vscode.l10n.t('Not sent: {0}.', range));
  return lines(failure, reason ?? runErrorMessage(error), undoStop ?? effect, rest);
}

interface UndoStopTextOptions {
  readonly stop: SequenceStop;
  /** The number of statements of the whole undo. */
  readonly count: number;
  /** The number of statements that had run; 0 if an earlier window has sent them. */
  readonly ranCount: number;
  /** The number of statements that are not certainly undone. */
  readonly leftCount: number;
  /** False if the statement may have run, and could run twice if it were sent again. */
  readonly canContinue: boolean;
}

/** Says at which statement an undo has stopped and why, what it has undone, and what stays. */
export function undoStopText({ stop, count, ranCount, leftCount, canContinue }: UndoStopTextOptions): string {
  const { index, error, isUnknown } = stop;
  const { t } = vscode.l10n;
  const reason = runErrorMessage(error);
  const continuing = isUnknown
    ? t('Choose Undo Statements: it continues with the same key, so that nothing runs twice.')
    : t('Choose Undo Statements: it continues where it stopped.');
  const advice = canContinue ? continuing : '';
  if (ranCount === 0) {
    const place = isUnknown
      ? t('No answer came to statement {0} of {1} of the undo, so it is unknown whether it ran.', index + 1, count)
      : t('Statement {0} of {1} of the undo failed. Those before it have run.', index + 1, count);
    return lines(place, reason, advice);
  }
  const failure = isUnknown
    ? t('No answer came when statement {0} was undone, so it is unknown whether it stays.', leftCount)
    : t('Statement {0} could not be undone.', leftCount);
  const undone = rangeText(leftCount + 1, ranCount, range => t('Undone: {0}.', range));
  return lines(failure, reason, undone, ranText(isUnknown ? leftCount - 1 : leftCount), advice);
}

const ranText = (count: number): string =>
  rangeText(1, count, range => vscode.l10n.t('Run, with changes that stay: {0}.', range));

/** A sentence about a range of statements. '' if the range is empty. */
function rangeText(from: number, to: number, sentence: (range: string) => string): string {
  if (from > to) return '';
  return sentence(
    from === to ? vscode.l10n.t('statement {0}', from) : vscode.l10n.t('statements {0} to {1}', from, to),
  );
}

const lines = (...texts: readonly string[]): string => texts.filter(text => text !== '').join('\n');
