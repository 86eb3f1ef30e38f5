/** Stands for a thread that runs no statement. */
export const nobody = 0;
/** Stands for a commit. The process is not ended during one, so that the outcome of a write is never in doubt. */
export const committing = -1;
const doomed = -2;

/**
 * The call that holds the thread of a project's process. It is in shared memory, because the watchdog must read it while
 * a statement keeps the thread busy. The watchdog ends a statement only by replacing its number here, and the thread
 * replaces it before it commits: the first one decides.
 */
export class ThreadHolder {
  readonly memory: SharedArrayBuffer;
  readonly #call: Int32Array;
  readonly #heldSince: Float64Array;

  /** Pass the memory of the thread's holder to read it from another thread. */
  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(16);
    this.#call = new Int32Array(this.memory, 0, 1);
    this.#heldSince = new Float64Array(this.memory, 8, 1);
    if (!memory) this.#heldSince[0] = monotonicMs();
  }

  /** Gives the thread to the next call. Does not return when the process is being ended. */
  pass(next: number): void {
    this.#heldSince[0] = monotonicMs();
    if (Atomics.exchange(this.#call, 0, next) !== doomed) return;
    Atomics.store(this.#call, 0, doomed);
    Atomics.wait(this.#call, 0, doomed);
  }

  /** The current call and its time. The time is too short if the thread passes to another call between, but never too long. */
  now(): { call: number; milliseconds: number } {
    const call = Atomics.load(this.#call, 0);
    const since = this.#heldSince[0]!;
    // The clocks of two threads may differ by a little.
    return { call, milliseconds: Math.max(0, monotonicMs() - since) };
  }

  /** Stops the call if it holds the thread. Returns whether it did. */
  doom(call: number): boolean {
    return Atomics.compareExchange(this.#call, 0, call, doomed) === call;
  }
}

/** A time that is the same in all threads of a process, and does not change with the system's clock. */
const monotonicMs = (): number => performance.timeOrigin + performance.now();
