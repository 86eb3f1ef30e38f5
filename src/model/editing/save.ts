import type { Clock } from '../../base/clock.ts';
import { refuseAnswer } from '../../base/errors.ts';
import type { Project, SqlAnswer } from '../../client/index.ts';
import { sendKeyed } from '../results/statementDelivery.ts';
import { WriteKey } from '../results/writeKey.ts';
import type { KeyedStep, SaveStep } from './draft.ts';
import type { StoredRows } from './storedRows.ts';

/** How a save ended. Statements before `step` are done, those after it were not sent. */
export type SaveOutcome =
  | { readonly kind: 'saved' }
  /** A row of the statement has changed in the table, so it changed nothing. */
  | { readonly kind: 'stale'; readonly step: SaveStep }
  /** The statement is done, but the database has left some of its rows as they were. */
  | { readonly kind: 'partly'; readonly step: SaveStep; readonly rows: StoredRows }
  /** The service refused the statement, which changed nothing. */
  | { readonly kind: 'refused'; readonly step: SaveStep; readonly error: unknown }
  /** No answer came. The statement may have run. */
  | { readonly kind: 'unknown'; readonly step: SaveStep; readonly error: unknown }
  /** No answer came, and the service may no longer remember the key: sending it again could do the work twice. */
  | { readonly kind: 'expired'; readonly step: SaveStep }
  /** The statement was not sent before, and `onlySent` keeps this run from sending it. */
  | { readonly kind: 'notSent'; readonly step: SaveStep };

interface SaveOptions {
  readonly project: Pick<Project, 'sql'>;
  readonly clock: Clock;
  /** The time for keys, in milliseconds since the epoch. */
  readonly systemClock: Clock;
  /** Called before a statement is sent and when its outcome is known. The next one waits for it, so that a draft is written first. */
  readonly onProgress: (steps: readonly KeyedStep[]) => Promise<void>;
  /** Called when a statement has changed rows. Finds which of its rows are stored. */
  readonly onDone: (step: SaveStep, answer: SqlAnswer) => Promise<StoredRows>;
  readonly onlySent?: boolean;
  readonly signal: AbortSignal;
}

/** Runs the statements of a save one after another, and stops at the first that changes nothing. */
export class Save {
  steps: readonly KeyedStep[];

  constructor(steps: readonly KeyedStep[]) {
    this.steps = steps;
  }

  static of(steps: readonly SaveStep[], systemClock: Clock): Save {
    return new Save(steps.map(step => ({ step, key: new WriteKey(systemClock).saved, state: 'waiting' })));
  }

  /** Sends the statements that are not done. A statement whose outcome is unknown is sent with its key, so that it runs once. */
  async run(options: SaveOptions): Promise<SaveOutcome> {
    for (const [index, { step, key, state }] of this.steps.entries()) {
      if (state === 'done') continue;
      if (state === 'waiting' && options.onlySent) return { kind: 'notSent', step };
      const writeKey = new WriteKey(options.systemClock, key);
      if (state === 'sent' && !writeKey.isRemembered) return { kind: 'expired', step };
      await this.#mark(index, 'sent', options);
      const outcome = await send(step, writeKey, state === 'sent', options);
      if ('kind' in outcome) {
        if (outcome.kind !== 'unknown') await this.#mark(index, 'waiting', options);
        return outcome;
      }
      const rows = await options.onDone(step, outcome);
      await this.#mark(index, 'done', options);
      if (rows.ignoredIds.length > 0) return { kind: 'partly', step, rows };
    }
    return { kind: 'saved' };
  }

  async #mark(index: number, state: KeyedStep['state'], { onProgress }: SaveOptions): Promise<void> {
    this.steps = this.steps.map((keyed, place) => (place === index ? { ...keyed, state } : keyed));
    await onProgress(this.steps);
  }
}

/** The answer of a statement that has changed rows, or why it has changed none. */
async function send(
  step: SaveStep,
  key: WriteKey,
  wasSent: boolean,
  { project, clock, signal }: SaveOptions,
): Promise<SqlAnswer | SaveOutcome> {
  const outcome = await sendKeyed({ key, wasSent, clock, signal }, async call => {
    const answer = await project.sql(step.sql, step.json === '' ? [] : [step.json], { ...call, purpose: 'edit' });
    return { answer, changedRows: changedRowsOf(step, answer) };
  });
  if (outcome.kind !== 'answered') return { ...outcome, step };
  const { answer, changedRows } = outcome.answer;
  return changedRows === 0 ? { kind: 'stale', step } : answer;
}

function changedRowsOf({ returnsRows }: SaveStep, { rows, rowCount }: SqlAnswer): number {
  if (returnsRows) return rows.length;
  return rowCount ?? refuseAnswer('The answer of the service does not say how many rows have changed.');
}
