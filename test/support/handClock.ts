import type { Clock } from '../../src/base/clock.ts';

/** A clock that a test advances. */
export class HandClock implements Clock {
  #now: number;
  readonly #waiting = new Set<{ readonly at: number; readonly callback: () => void }>();
  #timerSet = Promise.withResolvers<void>();

  constructor(now = 0) {
    this.#now = now;
  }

  /** How many timers are set. */
  get timerCount(): number {
    return this.#waiting.size;
  }

  /** Resolves when at least one timer is set. */
  async nextTimer(): Promise<void> {
    if (this.#waiting.size === 0) await this.#timerSet.promise;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const waiting = { at: this.#now + milliseconds, callback };
    this.#waiting.add(waiting);
    this.#timerSet.resolve();
    this.#timerSet = Promise.withResolvers<void>();
    return () => this.#waiting.delete(waiting);
  }

  /** How long the first waiting callback waits from now on. Infinity when none waits. */
  get nextMs(): number {
    return Math.min(...[...this.#waiting].map(({ at }) => at - this.#now));
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    for (const waiting of [...this.#waiting]) {
      if (waiting.at > this.#now) continue;
      this.#waiting.delete(waiting);
      waiting.callback();
    }
  }
}
