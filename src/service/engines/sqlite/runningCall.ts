/** The thread runs no call. */
export const noCall = 0;
/** The thread commits. The process is not ended then, so that the outcome of a write is never in doubt. */
export const committing = -1;
const stopped = -2;

/**
 * The call that the thread of a project's process runs, and its time limit. Both are in shared memory: the watchdog reads them
 * while a statement keeps the thread busy. To stop a statement, the watchdog replaces its number here. The thread replaces the
 * number before a commit. The first of them decides.
 */
export class RunningCall {
  readonly memory: SharedArrayBuffer;
  readonly #call: Int32Array;
  readonly #endsAt: Float64Array;

  /** The watchdog passes the memory of the thread. */
  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(16);
    this.#call = new Int32Array(this.memory, 0, 1);
    this.#endsAt = new Float64Array(this.memory, 8, 1);
    if (!memory) this.#endsAt[0] = Infinity;
  }

  /** Gives the thread to the next call for a limited time. Never returns if the process is being ended. */
  replace(next: number, limitMs = Infinity): void {
    this.#endsAt[0] = monotonicMs() + limitMs;
    if (Atomics.exchange(this.#call, 0, next) !== stopped) return;
    Atomics.store(this.#call, 0, stopped);
    Atomics.wait(this.#call, 0, stopped);
  }

  /** The running call and its remaining time. If the thread changes its call between, the time may be too long, never too short. */
  read(): { call: number; leftMs: number } {
    const call = Atomics.load(this.#call, 0);
    return { call, leftMs: this.#endsAt[0]! - monotonicMs() };
  }

  /** Stops the call if it runs. Returns whether it did. */
  stop(call: number): boolean {
    return Atomics.compareExchange(this.#call, 0, call, stopped) === call;
  }
}

/** A time that is the same in all threads of a process. `performance.now()` begins with its own thread. */
const monotonicMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;
