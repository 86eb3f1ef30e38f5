import type { BeforeHook, OutgoingRequest } from './options.ts';

/** Runs hooks in their order, and waits for none longer than until the signal is aborted, with whose reason it rejects then. */
export async function runHooks(
  hooks: readonly BeforeHook[],
  request: OutgoingRequest,
  signal: AbortSignal,
): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  // A hook may abort the call and throw at once, and then nobody waits for this.
  aborted.catch(() => {});
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (const hook of hooks) await Promise.race([aborted, hook({ ...request })]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
