import type { Clock } from '../../src/base/clock.ts';

/** A clock that a test advances. */
export class HandClock implements Clock {
  #now: number;
  readonly #waiting = new Set<{ readonly at: number; readonly callback: () => void }>();

  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const waiting = { at: this.#now + milliseconds, callback };
    this.#waiting.add(waiting);
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
