import { type Clock, delay } from '../base/clock.ts';
import type { ProjectError } from '../base/errors.ts';

/** The pause before an attempt is made again. */
export interface RetryWait {
  readonly milliseconds: number;
  /** What the last attempt failed with. */
  readonly fault: ProjectError;
  /** The attempt that failed, counted from 1. */
  readonly attempt: number;
  /** Aborted when the wait is over, however it ended. */
  readonly over: AbortSignal;
  /** Ends the call at once, with the fault. */
  readonly giveUp: () => void;
}

export interface PauseOptions extends Pick<RetryWait, 'milliseconds' | 'fault' | 'attempt'> {
  readonly clock: Clock;
  /** Ends the wait and the call, with its reason. */
  readonly signal: AbortSignal;
  readonly onWait: ((wait: RetryWait) => void) | undefined;
}

/** Waits, and lets somebody watch who may give up. */
export async function pause({ milliseconds, fault, attempt, clock, signal, onWait }: PauseOptions): Promise<void> {
  const givenUp = new AbortController();
  const over = new AbortController();
  try {
    onWait?.({ milliseconds, fault, attempt, over: over.signal, giveUp: () => givenUp.abort(fault) });
  } catch {
    // A watcher that fails must not fail the call that it was told of.
  }
  try {
    await delay(clock, milliseconds, AbortSignal.any([signal, givenUp.signal]));
  } finally {
    over.abort();
  }
}
