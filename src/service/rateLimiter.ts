import type { Clock } from '../base/clock.ts';

export interface RateLimit {
  readonly perSecond: number;
  /** How many calls may come at once after a rest. */
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** More buckets than this are looked through for full ones, which need not be remembered. */
const manyBuckets = 1000;

/** A bucket of tokens for each caller. It fills at an even rate, and each call takes one out. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Takes a token and gives 0, or takes none and gives the milliseconds until there is one. */
  take(caller: string): number {
    const bucket = this.#filled(caller);
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / this.#limit.perSecond) * 1000);
    bucket.tokens -= 1;
    return 0;
  }

  #filled(caller: string): Bucket {
    const now = this.#clock.now();
    const { burst } = this.#limit;
    let bucket = this.#buckets.get(caller);
    if (!bucket) {
      if (this.#buckets.size >= manyBuckets) this.#forgetFull(now);
      bucket = { tokens: burst, filledAt: now };
      this.#buckets.set(caller, bucket);
    }
    bucket.tokens = this.#tokensAt(bucket, now);
    bucket.filledAt = now;
    return bucket;
  }

  #tokensAt({ tokens, filledAt }: Bucket, now: number): number {
    // A clock that was set back takes nothing away.
    const elapsed = Math.max(0, now - filledAt);
    return Math.min(this.#limit.burst, tokens + (elapsed / 1000) * this.#limit.perSecond);
  }

  #forgetFull(now: number): void {
    for (const [caller, bucket] of this.#buckets) {
      if (this.#tokensAt(bucket, now) >= this.#limit.burst) this.#buckets.delete(caller);
    }
  }
}
