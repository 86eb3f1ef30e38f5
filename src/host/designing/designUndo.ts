import type { Clock } from '../../base/clock.ts';
import type { PlanStep } from '../../model/shaping/plan.ts';
import { stepsLeft, undoStatements } from '../../model/shaping/planBuilder.ts';
import type { UnfinishedDesign } from '../../protocol/designer.ts';
import { type SequenceOptions, StatementSequence } from '../../model/results/statementSequence.ts';
import { undoStopText } from './stopText.ts';

/** Takes back the statements of a design that have run, the last one first. A second call continues where it stopped. */
export class DesignUndo {
  readonly #sequence: StatementSequence;
  /** The steps that have run. Empty for those of an earlier window. */
  readonly #steps: readonly PlanStep[];

  private constructor(sequence: StatementSequence, steps: readonly PlanStep[]) {
    this.#sequence = sequence;
    this.#steps = steps;
  }

  /** Undefined if nothing has run, or some of it cannot be taken back. `systemClock` is the time for keys. */
  static of(steps: readonly PlanStep[], doneCount: number, systemClock: Clock): DesignUndo | undefined {
    const statements = undoStatements(steps, doneCount);
    if (!statements || doneCount === 0) return undefined;
    return new DesignUndo(new StatementSequence(statements, systemClock), steps.slice(0, doneCount));
  }

  /** Continues with what an earlier window has left. */
  static restored({ undo, sentKey }: UnfinishedDesign, systemClock: Clock): DesignUndo | undefined {
    return undo && new DesignUndo(new StatementSequence(undo, systemClock, sentKey), []);
  }

  get hasBegun(): boolean {
    return this.#sequence.doneCount > 0 || this.sentKey !== undefined;
  }

  get remaining(): readonly string[] {
    return this.#sequence.remaining;
  }

  /** The key of the next statement, if it may have run. */
  get sentKey(): StatementSequence['sentKey'] {
    return this.#sequence.sentKey;
  }

  /** Says why it has stopped, what was taken back and what stays. Undefined when everything was taken back. */
  async run(options: SequenceOptions): Promise<string | undefined> {
    const stop = await this.#sequence.run(options);
    if (!stop) return undefined;
    const ranCount = this.#steps.length;
    const leftCount = stepsLeft(this.#steps, stop.index);
    return undoStopText({ stop, count: this.#sequence.statements.length, ranCount, leftCount });
  }
}
