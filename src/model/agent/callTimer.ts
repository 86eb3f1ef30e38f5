import type { Clock } from '../../base/clock.ts';

interface CallTimerOptions {
  readonly clock: Clock;
  readonly limitMs: number;
  readonly onLimit: () => void;
}

/** Measures the time of a call. It stops while the user is asked. */
export class CallTimer {
  readonly #options: CallTimerOptions;
  #usedMs = 0;
  #startedAt: number | undefined;
  #cancel: (() => void) | undefined;

  constructor(options: CallTimerOptions) {
    this.#options = options;
    this.#start();
  }

  /** Stops the timer. Gives the time that the call has taken. */
  stop(): number {
    this.#cancel?.();
    if (this.#startedAt !== undefined) this.#usedMs += this.#options.clock.now() - this.#startedAt;
    this.#startedAt = undefined;
    return this.#usedMs;
  }

  async pauseWhile<T>(ask: () => Promise<T>): Promise<T> {
    this.stop();
    try {
      return await ask();
    } finally {
      this.#start();
    }
  }

  #start(): void {
    const { clock, limitMs, onLimit } = this.#options;
    this.#startedAt = clock.now();
    this.#cancel = clock.after(Math.max(0, limitMs - this.#usedMs), onLimit);
  }
}
