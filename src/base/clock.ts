import { untilAborted } from './untilAborted.ts';

/**
 * Time is a parameter, so that tests need not wait. A class whose decisions depend on the time takes a `Clock`. Measured loops,
 * repaints at intervals and comparisons with the times of files use the real time.
 */
export interface Clock {
  now(): number;
  /** Runs `callback` once, in that many milliseconds. The returned function cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

function after(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

/** `now` gives milliseconds since the epoch, for points in time that are stored or sent. */
export const systemClock: Clock = { now: () => Date.now(), after };

/** `now` gives milliseconds since the process started, for measuring. Setting the system's time does not change it. */
export const monotonicClock: Clock = { now: () => performance.now(), after };

/** Resolves when the time has passed. Rejects with the signal's reason as soon as the signal is aborted. */
export async function delay(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancelTimer = clock.after(milliseconds, resolve);
  try {
    await untilAborted(promise, signal);
  } finally {
    cancelTimer();
  }
}

/** Does the work at most once in this time. Calls in between get the last result, which may still be pending. */
export function atMostEvery<T>(milliseconds: number, clock: Clock, work: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly result: Promise<T> } | undefined;
  return () => {
    const now = clock.now();
    // The clock may have been set back.
    if (!last || now - last.at >= milliseconds || now < last.at) last = { at: now, result: work() };
    return last.result;
  };
}
