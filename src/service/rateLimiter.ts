import type { Clock } from '../base/clock.ts';

export interface RateLimit {
  readonly perSecond: number;
  /** How many calls may come at once after a rest. */
  readonly burst: number;
}

/** Fewer callers than this are all remembered. */
const fewCallers = 1000;

/**
 * A bucket of tokens for each caller. It fills at an even rate, and each call takes one out. Of a bucket only the time is
 * kept at which it will be full.
 */
export class RateLimiter {
  readonly #clock: Clock;
  /** Milliseconds that one token takes to come. */
  readonly #interval: number;
  readonly #burst: number;
  readonly #fullAt = new Map<string, number>();
  #many = fewCallers;

  constructor({ perSecond, burst }: RateLimit, clock: Clock) {
    this.#clock = clock;
    this.#interval = 1000 / perSecond;
    this.#burst = burst;
  }

  /** Takes a token and gives 0, or takes none and gives the milliseconds until there is one. */
  take(caller: string): number {
    const now = this.#clock.now();
    // No bucket is emptier than empty, also when the clock was set back.
    const empty = now + this.#burst * this.#interval;
    const fullAt = Math.min(Math.max(this.#fullAt.get(caller) ?? now, now), empty);
    // Rounded to a clock's own steps, since sums of fractions are a little off.
    const wait = Math.round(fullAt + this.#interval - empty);
    if (wait > 0) return wait;
    this.#fullAt.set(caller, fullAt + this.#interval);
    if (this.#fullAt.size > this.#many) this.#forgetFull(now);
    return 0;
  }

  #forgetFull(now: number): void {
    for (const [caller, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(caller);
    this.#many = Math.max(fewCallers, this.#fullAt.size * 2);
  }
}
