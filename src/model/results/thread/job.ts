import { setImmediate as nextTurn } from 'node:timers/promises';

/** One question works no longer than this before another one may. */
const longestTurnMs = 8;
const progressEveryMs = 100;

/** What a question under way asks of the thread: turns, so that no other waits long, and whether it is still wanted. */
export class Job {
  readonly #tell: (done: number) => void;
  #cancelled = false;
  #turnBegan = performance.now();
  #toldAt = performance.now();

  constructor(tell: (done: number) => void) {
    this.#tell = tell;
  }

  cancel(): void {
    this.#cancelled = true;
  }

  /** Whether `turn` has to be awaited before the work goes on. */
  get isDue(): boolean {
    return performance.now() - this.#turnBegan > longestTurnMs;
  }

  /** Lets others work. Rejects when the question is no longer asked. */
  async turn(done?: number): Promise<void> {
    await nextTurn();
    if (this.#cancelled) throw new Cancelled();
    this.#turnBegan = performance.now();
    if (done === undefined || this.#turnBegan - this.#toldAt < progressEveryMs) return;
    this.#toldAt = this.#turnBegan;
    this.#tell(done);
  }
}

/** Nobody hears of it: whoever cancelled does not wait for an answer. */
export class Cancelled extends Error {}
