import type { Clock } from '../../base/clock.ts';

const maxCrashes = 5;
const periodMs = 3 * 60_000;

/**
 * Gives a function that counts a crash of a process. It returns true after five crashes within three minutes, and begins anew: the
 * process is not restarted without a question then.
 */
export function crashLimit(clock: Clock): () => boolean {
  let times: number[] = [];
  return () => {
    const now = clock.now();
    times = [...times.filter(time => now - time < periodMs), now];
    if (times.length < maxCrashes) return false;
    times = [];
    return true;
  };
}
