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
  /** Whether the call has a watcher of its own, besides the client's. */
  readonly isWatched: boolean;
  /** Ends the call at once, with the fault. */
  readonly giveUp: () => void;
}

type WaitWatcher = ((wait: RetryWait) => void) | undefined;

export interface PauseOptions extends Pick<RetryWait, 'milliseconds' | 'fault' | 'attempt'> {
  readonly clock: Clock;
  /** Ends the wait and the call, with its reason. */
  readonly signal: AbortSignal;
  /** Who hears of it: the client's watcher, and the call's own. */
  readonly watchers: readonly [client: WaitWatcher, call: WaitWatcher];
}

/** Waits, and lets somebody watch who may give up. */
export async function pause({ milliseconds, fault, attempt, clock, signal, watchers }: PauseOptions): Promise<void> {
  const givenUp = new AbortController();
  const over = new AbortController();
  const giveUp = (): void => givenUp.abort(fault);
  const isWatched = watchers[1] !== undefined;
  for (const watcher of watchers) {
    try {
      watcher?.({ milliseconds, fault, attempt, over: over.signal, isWatched, giveUp });
    } catch {
      // A watcher that fails must not fail the call that it was told of.
    }
  }
  try {
    await delay(clock, milliseconds, AbortSignal.any([signal, givenUp.signal]));
  } finally {
    over.abort();
  }
}
