import type { Clock } from '../../base/clock.ts';

/** Measures time, without the time while it is stopped. */
export class StopWatch {
  readonly #clock: Clock;
  #startedAt: number;
  #stoppedAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  get elapsedMs(): number {
    return (this.#stoppedAt ?? this.#clock.now()) - this.#startedAt;
  }

  stop(): void {
    this.#stoppedAt ??= this.#clock.now();
  }

  resume(): void {
    if (this.#stoppedAt === undefined) return;
    this.#startedAt += this.#clock.now() - this.#stoppedAt;
    this.#stoppedAt = undefined;
  }
}
