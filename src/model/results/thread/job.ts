import { setImmediate as nextTurn } from 'node:timers/promises';

/** The longest turn of a call before others get one. */
const maxTurnMs = 8;
const progressIntervalMs = 100;

/** A call under way in the rows thread. Its work takes turns with that of others, and can be cancelled between turns. */
export class Job {
  readonly #onProgress: (done: number) => void;
  #isCancelled = false;
  #turnStartedAt = performance.now();
  #reportedAt = performance.now();

  constructor(onProgress: (done: number) => void) {
    this.#onProgress = onProgress;
  }

  cancel(): void {
    this.#isCancelled = true;
  }

  get isTurnOver(): boolean {
    return performance.now() - this.#turnStartedAt > maxTurnMs;
  }

  /** Lets other calls run. Rejects with `Cancelled` if this one was cancelled. `done` is its progress from 0 to 1. */
  async turn(done?: number): Promise<void> {
    await nextTurn();
    if (this.#isCancelled) throw new Cancelled();
    this.#turnStartedAt = performance.now();
    if (done === undefined || this.#turnStartedAt - this.#reportedAt < progressIntervalMs) return;
    this.#reportedAt = this.#turnStartedAt;
    this.#onProgress(done);
  }
}

/** Ends the work of a cancelled call. The window does not wait for its answer. */
export class Cancelled extends Error {}
