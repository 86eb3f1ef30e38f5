import { type Clock, monotonicClock, systemClock } from '../../base/clock.ts';
import type { Project } from '../../client/index.ts';
import { sendKeyed } from './statementDelivery.ts';
import { keyExpired } from './keyExpired.ts';
import { type SavedWriteKey, WriteKey } from './writeKey.ts';
import { maxSmallAnswerBytes } from '../../wire/answerLimits.ts';

export interface SequenceStop {
  /** Its index among the statements. All earlier statements have run, and no later one. */
  readonly index: number;
  readonly error: unknown;
  /** Whether it may have run, because no answer came. */
  readonly isUnknown: boolean;
}

export interface SequenceOptions {
  readonly project: Pick<Project, 'sql'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: (index: number) => void;
}

/** Statements that are sent one after another, each with a key that keeps it from running twice. */
export class StatementSequence {
  readonly statements: readonly string[];
  readonly #keyClock: Clock;
  #doneCount = 0;
  /** The key of the next statement, if it was sent and may have run. */
  #sentKey: WriteKey | undefined;

  /** `keyClock` measures the age of keys. `sentKey` is that of the first statement, if an earlier window has sent it. */
  constructor(statements: readonly string[], keyClock: Clock, sentKey?: SavedWriteKey) {
    this.statements = statements;
    this.#keyClock = keyClock;
    this.#sentKey = sentKey && new WriteKey(keyClock, sentKey);
  }

  get sentKey(): SavedWriteKey | undefined {
    return this.#sentKey?.saved;
  }

  get doneCount(): number {
    return this.#doneCount;
  }

  /** The statements that have not run, or whose outcome is unknown. */
  get remaining(): readonly string[] {
    return this.statements.slice(this.#doneCount);
  }

  /** Whether the next statement may have run, and could run a second time if it is sent again. */
  get isExpired(): boolean {
    return this.#sentKey?.isRemembered === false;
  }

  /** Whether the sequence can continue without running a statement twice. */
  get canContinue(): boolean {
    return this.remaining.length > 0 && !this.isExpired;
  }

  /** Stops at the first failure. A second call continues there, unless the key has expired. Undefined when all have run. */
  async run(options: SequenceOptions): Promise<SequenceStop | undefined> {
    while (this.#doneCount < this.statements.length) {
      const stop = await this.#send(options);
      if (stop) return stop;
      this.#doneCount++;
    }
    return undefined;
  }

  async #send({ project, clock, signal, onProgress }: SequenceOptions): Promise<SequenceStop | undefined> {
    const index = this.#doneCount;
    if (this.isExpired) return { index, error: keyExpired(), isUnknown: true };
    const wasSent = this.#sentKey !== undefined;
    const key = this.#sentKey ?? new WriteKey(this.#keyClock);
    this.#sentKey = key;
    onProgress(index);
    const outcome = await sendKeyed({ key, wasSent, clock, signal }, call =>
      project.sql(this.statements[index]!, [], {
        ...call,
        maxAnswerBytes: maxSmallAnswerBytes,
        purpose: 'schema',
      }),
    );
    // A refused statement has not run, so a later call is a new one.
    if (outcome.kind !== 'unknown') this.#sentKey = undefined;
    if (outcome.kind === 'answered') return undefined;
    return { index, error: outcome.error, isUnknown: outcome.kind === 'unknown' };
  }
}

/** Sends statements one after another. If an answer is lost, its statement is sent once more with its key, so that it runs once. */
export async function sendStatements(
  project: Pick<Project, 'sql'>,
  statements: readonly string[],
  signal: AbortSignal,
): Promise<SequenceStop | undefined> {
  const sequence = new StatementSequence(statements, systemClock);
  const options = {
    project,
    clock: monotonicClock,
    signal,
    onProgress: () => undefined,
  };
  const stop = await sequence.run(options);
  return stop?.isUnknown === true && !signal.aborted ? sequence.run(options) : stop;
}
