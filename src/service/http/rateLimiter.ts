import type { Clock } from '../../base/clock.ts';

export interface RateLimit {
  readonly perSecond: number;
  /** How many calls may come at once after a pause. */
  readonly burst: number;
}

/** Reads `10/s` or `10/s:50`. The default burst is the number of calls per second. Undefined if it is neither. */
export function parseRateLimit(text: string): RateLimit | undefined {
  const [, rate = '', burst] = /^(\d+(?:\.\d+)?)\/s(?::(\d+))?$/.exec(text) ?? [];
  const perSecond = Number(rate);
  const limit = { perSecond, burst: burst === undefined ? Math.ceil(perSecond) : Number(burst) };
  return perSecond > 0 && limit.burst > 0 ? limit : undefined;
}

/** Up to this number of callers, full buckets are kept too. */
const minForgetAbove = 1000;

/**
 * A token bucket for each caller: it fills at an even rate, and each call takes one token. A bucket is stored as the time
 * at which it will be full.
 */
export class RateLimiter {
  readonly #clock: Clock;
  /** How long one token takes to come. */
  readonly #intervalMs: number;
  readonly #burst: number;
  readonly #fullAt = new Map<string, number>();
  /** With more callers than this, full buckets are removed. */
  #forgetAbove = minForgetAbove;

  constructor({ perSecond, burst }: RateLimit, clock: Clock) {
    this.#clock = clock;
    this.#intervalMs = 1000 / perSecond;
    this.#burst = burst;
  }

  /** Takes a token and returns 0. Without a token, returns the milliseconds until there is one. */
  take(caller: string): number {
    const now = this.#clock.now();
    // An empty bucket stays empty when the clock is set back.
    const emptyUntil = now + this.#burst * this.#intervalMs;
    const fullAt = Math.min(Math.max(this.#fullAt.get(caller) ?? now, now), emptyUntil);
    // Sums of fractions are slightly wrong, so the wait is rounded to milliseconds.
    const waitMs = Math.round(fullAt + this.#intervalMs - emptyUntil);
    if (waitMs > 0) return waitMs;
    this.#fullAt.set(caller, fullAt + this.#intervalMs);
    if (this.#fullAt.size > this.#forgetAbove) this.#forgetFull(now);
    return 0;
  }

  #forgetFull(now: number): void {
    for (const [caller, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(caller);
    this.#forgetAbove = Math.max(minForgetAbove, this.#fullAt.size * 2);
  }
}
