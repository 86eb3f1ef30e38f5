import type { Clock } from '../../base/clock.ts';

/** At first as often as a screen is painted is more than anybody can see; what goes on for longer is looked at more calmly. */
const leastMs = 50;
const mostMs = 500;
const growth = 1.25;
/** Changes that come within this time of the last one that was shown belong to it; others are shown as soon as the first. */
const togetherMs = 100;

/** Tells of changes a moment after the first of them, and ever less often while they go on: each painting keeps others waiting. */
export class RefreshPace {
  readonly #clock: Clock;
  readonly #refresh: () => void;
  #pauseMs = leastMs;
  #refreshedAt = 0;
  #take: (() => void) | undefined;

  constructor(clock: Clock, refresh: () => void) {
    this.#clock = clock;
    this.#refresh = refresh;
  }

  /** Something has changed. */
  note(): void {
    if (this.#take) return;
    const goesOn = this.#clock.now() - this.#refreshedAt < togetherMs;
    this.#pauseMs = goesOn ? Math.min(mostMs, this.#pauseMs * growth) : leastMs;
    this.#take = this.#clock.after(this.#pauseMs, () => {
      this.#take = undefined;
      this.#refreshedAt = this.#clock.now();
      this.#refresh();
    });
  }

  /** What was noted has been told, or is of no interest any more. */
  settle(): void {
    this.#take?.();
    this.#take = undefined;
  }
}
