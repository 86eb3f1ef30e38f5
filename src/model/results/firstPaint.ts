import type { Clock } from '../../base/clock.ts';

/** A hidden result reports no paint. */
const maxWaitMs = 100;

/**
 * Lets a run wait until its first rows are painted. Reading a million rows keeps a machine busy, and would delay that
 * paint.
 */
export class FirstPaint {
  readonly #clock: Clock;
  readonly #painted = Promise.withResolvers<void>();
  #isWaiting = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Settles when the paint is reported, or after a short time. */
  get done(): Promise<void> {
    if (!this.#isWaiting) this.#clock.after(maxWaitMs, this.#painted.resolve);
    this.#isWaiting = true;
    return this.#painted.promise;
  }

  report(): void {
    this.#painted.resolve();
  }
}
