/** Nobody's statement has the thread. */
export const nobody = 0;
/** A commit has it. The process is left alone then, so that what becomes of a write is never in doubt. */
export const committing = -1;
const doomed = -2;

/**
 * Which call has the thread of a project's process, in memory that its watchdog can read while a statement keeps the
 * thread busy. A statement that runs is ended with its process only by writing over its number here, and the thread must
 * write here before it commits: whoever is first decides.
 */
export class Holder {
  readonly memory: SharedArrayBuffer;
  readonly #call: Int32Array;
  readonly #since: Float64Array;

  /** `memory` is that of the holder that the thread writes to; without it, this is the one. */
  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(16);
    this.#call = new Int32Array(this.memory, 0, 1);
    this.#since = new Float64Array(this.memory, 8, 1);
    if (!memory) this.#since[0] = monotonic();
  }

  /** Hands the thread on. Does not come back when the process is being ended. */
  pass(next: number): void {
    this.#since[0] = monotonic();
    if (Atomics.exchange(this.#call, 0, next) !== doomed) return;
    Atomics.store(this.#call, 0, doomed);
    Atomics.wait(this.#call, 0, doomed);
  }

  /** How long the call has had the thread is never told as more than it is: the thread may be handed on meanwhile. */
  now(): { call: number; milliseconds: number } {
    const call = Atomics.load(this.#call, 0);
    const since = this.#since[0]!;
    // The clocks of two threads may differ by a little.
    return { call, milliseconds: Math.max(0, monotonic() - since) };
  }

  /** Whether the call had the thread; it will not get further. */
  doom(call: number): boolean {
    return Atomics.compareExchange(this.#call, 0, call, doomed) === call;
  }
}

/** Milliseconds that are the same in all threads of a process and do not jump with the clock on the wall. */
const monotonic = (): number => performance.timeOrigin + performance.now();
