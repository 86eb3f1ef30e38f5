import { type Clock, systemClock } from '../../base/clock.ts';

/** How long the rest waits for the first rows to be seen, in milliseconds. Nobody may be looking. */
const patience = 100;

/**
 * What comes behind the first rows of a large answer is let in once they are painted: taking a million rows in keeps a
 * machine busy, and whoever waits for the first of them waits for that as well.
 */
export class FirstPaint {
  readonly #clock: Clock;
  readonly #painted = Promise.withResolvers<void>();
  #isWaiting = false;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Settles when they are painted, and not much later when nobody says so. */
  get done(): Promise<void> {
    if (!this.#isWaiting) this.#clock.after(patience, this.#painted.resolve);
    this.#isWaiting = true;
    return this.#painted.promise;
  }

  come(): void {
    this.#painted.resolve();
  }
}
