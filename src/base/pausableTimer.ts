import type { Clock } from './clock.ts';

export interface PausableTimer {
  start(): void;
  /** Returns how many milliseconds the timer has run in all. */
  pause(): number;
}

/** A timer whose time passes only between a start and a pause. */
export function pausableTimer(clock: Clock, limitMs: number, onOver: () => void): PausableTimer {
  let usedMs = 0;
  let startedAt: number | undefined;
  let cancel: (() => void) | undefined;
  return {
    start() {
      if (startedAt !== undefined) return;
      startedAt = clock.now();
      cancel = clock.after(Math.max(0, limitMs - usedMs), onOver);
    },
    pause() {
      cancel?.();
      // A clock that was set back adds no time.
      if (startedAt !== undefined) usedMs += Math.max(0, clock.now() - startedAt);
      startedAt = undefined;
      return usedMs;
    },
  };
}
