import type { Clock } from '../../../base/clock.ts';

/** What the time of an answer's rows passes with: the statement that looks for them, or their reader, whom they wait for. */
export type Passing = 'statement' | 'reader';

/** Two times that an answer may take, in milliseconds. One of them passes while the other stands still. */
export class RowsTime {
  readonly #clock: Clock;
  readonly #left: Record<Passing, number>;
  readonly #over: (which: Passing) => void;
  #passing: Passing = 'statement';
  #since = 0;
  #take: () => void = () => {};

  constructor(clock: Clock, limits: Readonly<Record<Passing, number>>, over: (which: Passing) => void) {
    this.#clock = clock;
    this.#left = { ...limits };
    this.#over = over;
    this.#begin('statement');
  }

  pass(which: Passing): void {
    if (which === this.#passing) return;
    this.end();
    // A clock that was set back gives no time away.
    this.#left[this.#passing] -= Math.max(0, this.#clock.now() - this.#since);
    this.#begin(which);
  }

  end(): void {
    this.#take();
  }

  #begin(which: Passing): void {
    this.#passing = which;
    this.#since = this.#clock.now();
    this.#take = this.#clock.after(Math.max(0, this.#left[which]), () => this.#over(which));
  }
}
