import type { Clock } from '../../../base/clock.ts';

/** How long the rows of an answer may wait for their reader in all, in milliseconds. It passes only while they do. */
export class ReaderTime {
  readonly #clock: Clock;
  readonly #over: () => void;
  #left: number;
  #since: number | undefined;
  #take: () => void = () => {};

  constructor(clock: Clock, limit: number, over: () => void) {
    this.#clock = clock;
    this.#left = limit;
    this.#over = over;
  }

  pass(waits: boolean): void {
    if (waits === (this.#since !== undefined)) return;
    if (this.#since === undefined) {
      this.#since = this.#clock.now();
      this.#take = this.#clock.after(Math.max(0, this.#left), this.#over);
    } else {
      this.end();
      // A clock that was set back gives no time away.
      this.#left -= Math.max(0, this.#clock.now() - this.#since);
      this.#since = undefined;
    }
  }

  end(): void {
    this.#take();
  }
}
