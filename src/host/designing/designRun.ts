import type { Clock } from '../../base/clock.ts';
import type { Project } from '../../client/index.ts';
import type { ChangePlan } from '../../model/shaping/plan.ts';
import { undoStatements } from '../../model/shaping/planBuilder.ts';
import type { UnfinishedDesign } from '../../protocol/designer.ts';
import { stepTitle } from '../shaping/planTexts.ts';
import { type SequenceStop, StatementSequence } from './statementSequence.ts';
import { stopText } from './stopText.ts';

export interface DesignRunOptions {
  readonly project: Pick<Project, 'sql'>;
  readonly clock: Clock;
  /** The time for keys. */
  readonly systemClock: Clock;
  /** Called before a statement is sent, with what it does. */
  readonly onProgress: (title: string, number: number, count: number) => void;
}

/** Sends the statements of a plan. A rebuild that fails is undone as far as it has come. */
export class DesignRun {
  readonly #plan: ChangePlan;
  readonly #options: DesignRunOptions;
  readonly #sequence: StatementSequence;

  constructor(plan: ChangePlan, options: DesignRunOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#sequence = new StatementSequence(
      plan.steps.map(({ sql }) => sql),
      options.systemClock,
    );
  }

  get titles(): string[] {
    return this.#plan.steps.map(step => stepTitle(step));
  }

  get canContinue(): boolean {
    return this.#sequence.canContinue;
  }

  /** The statements that have not run for certain, and those that take back the others. */
  unfinished(message: string): UnfinishedDesign {
    const { remaining, doneCount } = this.#sequence;
    return { message, remaining: [...remaining], undo: undoStatements(this.#plan.steps, doneCount) };
  }

  /** Says why the run has stopped. Undefined when all statements have run. A second call goes on where it stopped. */
  async run(): Promise<DesignStop | undefined> {
    const stop = await this.#send(this.#sequence);
    if (!stop) return undefined;
    const undo = undoStatements(this.#plan.steps, stop.index);
    const isUndoable = this.#plan.way === 'rebuild' && !stop.isUnknown && stop.index > 0 && undo !== undefined;
    const isUndone = isUndoable && (await this.undo(undo));
    return { message: stopText({ stop, titles: this.titles, isUndone }), isUndone, isUnknown: stop.isUnknown };
  }

  /** Whether all statements that take something back have run. */
  async undo(statements: readonly string[]): Promise<boolean> {
    const sequence = new StatementSequence(statements, this.#options.systemClock);
    return (await sequence.run(this.#sequenceOptions(() => undefined))) === undefined;
  }

  #send(sequence: StatementSequence): Promise<SequenceStop | undefined> {
    const { titles } = this;
    const { onProgress } = this.#options;
    return sequence.run(this.#sequenceOptions(index => onProgress(titles[index]!, index + 1, titles.length)));
  }

  #sequenceOptions(onProgress: (index: number) => void) {
    const { project, clock } = this.#options;
    return { project, clock, signal: new AbortController().signal, onProgress };
  }
}

export interface DesignStop {
  readonly message: string;
  /** Whether the table is as it was. */
  readonly isUndone: boolean;
  readonly isUnknown: boolean;
}
