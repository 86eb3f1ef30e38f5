import type { Clock } from '../../base/clock.ts';

const maxCrashes = 5;
const periodMs = 3 * 60_000;

/** Decides when a process is not restarted without a question: after five crashes within three minutes. */
export class CrashLimit {
  readonly #clock: Clock;
  #times: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a crash. Returns whether the limit is reached, which also resets the count. */
  add(): boolean {
    const now = this.#clock.now();
    this.#times = [...this.#times.filter(time => now - time < periodMs), now];
    if (this.#times.length < maxCrashes) return false;
    this.#times = [];
    return true;
  }
}
