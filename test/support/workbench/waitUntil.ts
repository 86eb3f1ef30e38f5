import { setTimeout as delay } from 'node:timers/promises';
import { stateLimitMs } from '../hangLimits.ts';

export interface WaitOptions {
  /** Completes the sentence "Gave up waiting after 30 s: …". A function returns the last state that was seen. */
  what: string | (() => string);
  timeoutMs?: number;
}

/** Polls until `condition` returns a truthy value, and returns it. For states that no event announces. */
export async function waitUntil<T>(
  condition: () => T | Promise<T>,
  { what, timeoutMs = stateLimitMs }: WaitOptions,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) {
      const missing = typeof what === 'string' ? what : what();
      throw new Error(`Gave up waiting after ${timeoutMs / 1000} s: ${missing}`);
    }
    await delay(40);
  }
}
