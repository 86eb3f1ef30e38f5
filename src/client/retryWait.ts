import { type Clock, delay } from '../base/clock.ts';
import type { ProjectError } from '../base/errors.ts';
import { asServiceError } from '../wire/serviceError.ts';

/** The wait before the next attempt of a call. */
export interface RetryWait {
  readonly milliseconds: number;
  /** Why the last attempt failed. */
  readonly fault: ProjectError;
  /** Whether the service asked to wait. Other waits end before anyone can read about them. */
  readonly isRequested: boolean;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** Aborted when the wait is over for any reason. */
  readonly over: AbortSignal;
  /** Whether the call has its own `onWait`, besides that of the client. */
  readonly isWatched: boolean;
  /** Ends the call at once with the fault. */
  readonly stopRetrying: () => void;
}

type WaitListener = ((wait: RetryWait) => void) | undefined;

interface RetryWaitOptions extends Pick<RetryWait, 'milliseconds' | 'fault' | 'attempt'> {
  readonly clock: Clock;
  /** Ends the wait and the call with its reason. */
  readonly signal: AbortSignal;
  readonly clientListener: WaitListener;
  readonly callListener: WaitListener;
}

/** Waits before the next attempt. Listeners are notified, and can end the wait and the call. */
export async function waitToRetry(options: RetryWaitOptions): Promise<void> {
  const { milliseconds, fault, attempt, clock, signal, clientListener, callListener } = options;
  const stopping = new AbortController();
  const over = new AbortController();
  const wait: RetryWait = {
    milliseconds,
    fault,
    isRequested: asServiceError(fault)?.retryAfter !== undefined,
    attempt,
    over: over.signal,
    isWatched: callListener !== undefined,
    stopRetrying: () => stopping.abort(fault),
  };
  for (const listener of [clientListener, callListener]) {
    try {
      listener?.(wait);
    } catch {
      // A listener that throws must not fail the call.
    }
  }
  try {
    await delay(clock, milliseconds, AbortSignal.any([signal, stopping.signal]));
  } finally {
    over.abort();
  }
}
