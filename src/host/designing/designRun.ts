import * as vscode from 'vscode';
import { monotonicClock, systemClock } from '../../base/clock.ts';
import type { Project } from '../../client/index.ts';
import type { ChangePlan, PlanStep } from '../../model/shaping/plan.ts';
import type { NoticeAction, UnfinishedDesign } from '../../protocol/designer.ts';
import { uncertainUndo, stepsLeft, undoStatements } from '../../model/shaping/planBuilder.ts';
import { failedCheckText, stepTitle } from '../shaping/planTexts.ts';
import { type SequenceStop, StatementSequence } from '../../model/results/statementSequence.ts';
import { keyExpired } from '../../model/results/keyExpired.ts';
import { runErrorMessage } from '../results/runProblem.ts';

interface DesignRunOptions {
  readonly project: Pick<Project, 'sql'>;
  /** Called before a statement is sent. `title` says what the statement does. */
  readonly onProgress: (title: string, number: number, count: number) => void;
  /** Called before a statement is undone. */
  readonly onUndo: (number: number, count: number) => void;
  /** Statements that an earlier window has left to undo. */
  readonly unfinished?: UnfinishedDesign | undefined;
}

export interface DesignStop {
  readonly message: string;
  /** Whether the table is as it was. */
  readonly isUndone: boolean;
}

/** Sends the statements of a plan. If a rebuild fails, its statements are undone. */
export class DesignRun {
  readonly #plan: ChangePlan;
  readonly #options: DesignRunOptions;
  readonly #sequence: StatementSequence;
  #undo: DesignUndo | undefined;

  constructor(plan: ChangePlan, options: DesignRunOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#sequence = new StatementSequence(
      plan.steps.map(({ sql }) => sql),
      systemClock,
    );
    this.#undo = options.unfinished && restoredUndo(options.unfinished);
  }

  get titles(): string[] {
    return this.#plan.steps.map(step => stepTitle(step));
  }

  /** The choices of the user after a stop. */
  get actions(): NoticeAction[] {
    const { remaining, undo = [] } = this.unfinished('');
    const canUndo = undo.length > 0 && this.#sequence.sentKey === undefined && this.#undo?.sequence.isExpired !== true;
    return [
      ...(this.#sequence.canContinue && !this.hasBegunUndo ? (['continue'] as const) : []),
      ...(canUndo ? (['undo'] as const) : []),
      ...(remaining.length > 0 ? (['openRemaining'] as const) : []),
    ];
  }

  /** After the undo has begun, only the undo can continue. */
  get hasBegunUndo(): boolean {
    return this.#undo !== undefined && hasBegun(this.#undo);
  }

  /** Says why an undo cannot continue, although statements are left. */
  get undoRefusal(): string | undefined {
    return this.#undo?.sequence.isExpired === true ? runErrorMessage(keyExpired()) : undefined;
  }

  /** The statements that have not certainly run, and the statements that undo the others. */
  unfinished(message: string): UnfinishedDesign {
    const { doneCount, sentKey } = this.#sequence;
    const { steps } = this.#plan;
    const remaining = [...(this.#options.unfinished?.remaining ?? this.#sequence.remaining)];
    if (sentKey && !this.#undo) {
      const undo = uncertainUndo(steps, doneCount);
      const isKeyNeeded = undo?.beginsWithStep === true;
      return { message, remaining, undo: undo && [...undo.statements], sentKey: isKeyNeeded ? sentKey : undefined };
    }
    const undo = this.#undo ?? undoOf(steps, doneCount);
    const left = undo && [...undo.sequence.remaining];
    return {
      message,
      remaining: left && hasBegun(undo) ? left : remaining,
      undo: left,
      sentKey: undo?.sequence.sentKey,
    };
  }

  /** Says why the run has stopped. Undefined when all statements have run. A second call continues where it stopped. */
  async run(): Promise<DesignStop | undefined> {
    const { titles } = this;
    const { onProgress } = this.#options;
    // After more statements, there is more to undo.
    this.#undo = undefined;
    const stop = await this.#sequence.run(
      this.#sequenceOptions(index => onProgress(titles[index]!, index + 1, titles.length)),
    );
    if (!stop) return undefined;
    const isUndoable = this.#plan.way === 'rebuild' && !stop.isUnknown;
    const undo = isUndoable ? this.#startUndo() : undefined;
    const undoStop = undo && (await this.#runUndo(undo));
    const isUndone = undo !== undefined && undoStop === undefined;
    return { message: this.#stopText(stop, isUndone, undoStop), isUndone };
  }

  /** Undoes the statements that have run. Says why it has stopped; undefined when everything is undone. */
  async undo(): Promise<DesignStop | undefined> {
    const undo = this.#startUndo();
    const message = undo && (await this.#runUndo(undo));
    return message === undefined ? undefined : { message, isUndone: false };
  }

  #startUndo(): DesignUndo | undefined {
    return (this.#undo ??= undoOf(this.#plan.steps, this.#sequence.doneCount));
  }

  /** Says why it has stopped, what was undone and what stays. Undefined when everything was undone. */
  async #runUndo(undo: DesignUndo): Promise<string | undefined> {
    const { sequence } = undo;
    const leftBefore = sequence.remaining.length;
    const stop = await sequence.run(
      this.#sequenceOptions(() => this.#options.onUndo(leftBefore - sequence.remaining.length + 1, leftBefore)),
    );
    return stop && undoStopText(stop, undo);
  }

  /** Says at which statement the run has stopped and why, which statements have run, and which have not. */
  #stopText({ index, error, isUnknown }: SequenceStop, isUndone: boolean, undoStop: string | undefined): string {
    const { titles } = this;
    const place = [index + 1, titles.length, titles[index] ?? ''] as const;
    const unknown = this.#sequence.canContinue
      ? vscode.l10n.t(
          'No answer came to statement {0} of {1} ({2}), so it is unknown whether it ran. Choose Continue: it is sent with the same key and does not run twice.',
          ...place,
        )
      : vscode.l10n.t('No answer came to statement {0} of {1} ({2}), so it is unknown whether it ran.', ...place);
    const failure = isUnknown ? unknown : vscode.l10n.t('Statement {0} of {1} failed ({2}).', ...place);
    const reason = failedCheckText(this.#plan.steps[index]!, error) ?? runErrorMessage(error);
    const effect = isUndone
      ? rangeText(1, index, range => vscode.l10n.t('Undone: {0}. The table is as it was.', range))
      : ranText(index);
    const rest = rangeText(index + 2, titles.length, range => vscode.l10n.t('Not sent: {0}.', range));
    return lines(failure, reason, undoStop ?? effect, rest);
  }

  #sequenceOptions(onProgress: (index: number) => void) {
    const { project } = this.#options;
    return { project, clock: monotonicClock, signal: new AbortController().signal, onProgress };
  }
}

/** Undoes the statements of a design that have run, the last one first. A second run continues where it stopped. */
interface DesignUndo {
  readonly sequence: StatementSequence;
  /** The steps that have run. Empty for the steps of an earlier window. */
  readonly steps: readonly PlanStep[];
}

/** Undefined if nothing has run, or a statement cannot be undone. */
function undoOf(steps: readonly PlanStep[], doneCount: number): DesignUndo | undefined {
  const statements = undoStatements(steps, doneCount);
  if (!statements || doneCount === 0) return undefined;
  return { sequence: new StatementSequence(statements, systemClock), steps: steps.slice(0, doneCount) };
}

/** Continues the undo of an earlier window. */
const restoredUndo = ({ undo, sentKey }: UnfinishedDesign): DesignUndo | undefined =>
  undo && { sequence: new StatementSequence(undo, systemClock, sentKey), steps: [] };

const hasBegun = ({ sequence }: DesignUndo): boolean => sequence.doneCount > 0 || sequence.sentKey !== undefined;

/** Says at which statement an undo has stopped and why, what it has undone, and what stays. */
function undoStopText({ index, error, isUnknown }: SequenceStop, { sequence, steps }: DesignUndo): string {
  const { t } = vscode.l10n;
  const reason = runErrorMessage(error);
  const continuing = isUnknown
    ? t('Choose Undo Statements: it continues with the same key, so that nothing runs twice.')
    : t('Choose Undo Statements: it continues where it stopped.');
  const advice = sequence.canContinue ? continuing : '';
  if (steps.length === 0) {
    const count = sequence.statements.length;
    const place = isUnknown
      ? t('No answer came to statement {0} of {1} of the undo, so it is unknown whether it ran.', index + 1, count)
      : t('Statement {0} of {1} of the undo failed. Those before it have run.', index + 1, count);
    return lines(place, reason, advice);
  }
  const leftCount = stepsLeft(steps, index);
  const failure = isUnknown
    ? t('No answer came when statement {0} was undone, so it is unknown whether it stays.', leftCount)
    : t('Statement {0} could not be undone.', leftCount);
  const undone = rangeText(leftCount + 1, steps.length, range => t('Undone: {0}.', range));
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
