import type { Clock } from '../../../base/clock.ts';

/** Limits how long the rows of an answer may wait for their reader in all. The time passes only while they wait. */
export class ReaderTime {
  readonly #clock: Clock;
  readonly #onOver: () => void;
  #leftMs: number;
  #waitingSince: number | undefined;
  #cancelTimer: () => void = () => {};

  constructor(clock: Clock, limitMs: number, onOver: () => void) {
    this.#clock = clock;
    this.#leftMs = limitMs;
    this.#onOver = onOver;
  }

  setWaiting(isWaiting: boolean): void {
    if (isWaiting === (this.#waitingSince !== undefined)) return;
    if (this.#waitingSince === undefined) {
      this.#waitingSince = this.#clock.now();
      this.#cancelTimer = this.#clock.after(Math.max(0, this.#leftMs), this.#onOver);
    } else {
      this.stop();
      // A clock that was set back adds no time.
      this.#leftMs -= Math.max(0, this.#clock.now() - this.#waitingSince);
      this.#waitingSince = undefined;
    }
  }

  stop(): void {
    this.#cancelTimer();
  }
}
