import { type Clock, monotonicClock } from './clock.ts';
import type { Disposable } from './disposable.ts';

export interface DebouncerOptions {
  readonly run: () => void;
  /** How long a run waits: see `Debouncer`. A function gets the time since the last run (Infinity before the first one). */
  readonly delayMs: number | ((sinceLastRunMs: number) => number);
  /** Each call starts the wait anew: the run comes when the calls pause. */
  readonly restarts?: boolean;
  /** The first call runs at once. Only calls within `delayMs` of the last run wait for the rest of that time. */
  readonly leading?: boolean;
  readonly clock?: Clock;
}

/**
 * Runs a function once for many calls:
 * - a fixed time after the first call, by default;
 * - when the calls pause, with `restarts`;
 * - at once and then at most every `delayMs`, with `leading`.
 */
export class Debouncer implements Disposable {
  readonly #options: DebouncerOptions;
  readonly #clock: Clock;
  #cancelTimer: (() => void) | undefined;
  #lastRunAt = -Infinity;

  constructor(options: DebouncerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? monotonicClock;
  }

  get isPending(): boolean {
    return this.#cancelTimer !== undefined;
  }

  /** Asks for a run. `delayMs` replaces the usual delay if this call starts a wait. */
  schedule(delayMs?: number): void {
    const { restarts = false, leading = false } = this.#options;
    if (this.isPending && !restarts) return;
    const sinceLastRunMs = this.#clock.now() - this.#lastRunAt;
    const waitMs = delayMs ?? this.#delayMs(sinceLastRunMs);
    if (leading && sinceLastRunMs >= waitMs) return this.runNow();
    this.cancel();
    this.#cancelTimer = this.#clock.after(leading ? waitMs - sinceLastRunMs : waitMs, () => this.runNow());
  }

  runNow(): void {
    this.cancel();
    this.#lastRunAt = this.#clock.now();
    this.#options.run();
  }

  flush(): void {
    if (this.isPending) this.runNow();
  }

  /** Drops the waiting run. */
  cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Drops the waiting run. Call `flush` first if the run must not be lost. */
  dispose(): void {
    this.cancel();
  }

  #delayMs(sinceLastRunMs: number): number {
    const { delayMs } = this.#options;
    return typeof delayMs === 'number' ? delayMs : delayMs(sinceLastRunMs);
  }
}
