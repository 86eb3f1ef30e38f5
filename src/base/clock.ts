/** Time as it is handed in, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `callback` once after that many milliseconds; the answer takes it back. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Resolves when the time has passed; rejects with the signal's reason as soon as that is aborted. */
export async function delay(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const take = clock.after(milliseconds, resolve);
  // The reason is the caller's own and is passed on as it is.
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await promise;
  } finally {
    take();
    signal.removeEventListener('abort', stop);
  }
}
