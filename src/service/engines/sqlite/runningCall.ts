/** The thread runs no call. */
export const noCall = 0;
/** The thread commits. The process is not ended then, so that the outcome of a write is never in doubt. */
export const committing = -1;
const stopped = -2;
/** The project of the running call has the thread for itself. */
const claimed = -3;

/**
 * The call that the thread of a process runs, and its time limit. Both are in shared memory: the watchdog reads them while a
 * statement keeps the thread busy. To stop a statement, or to keep other projects from the thread, the watchdog replaces its
 * number here. The thread replaces the number before a commit and after the call. The first of them decides.
 */
export class RunningCall {
  readonly memory: SharedArrayBuffer;
  readonly #call: Int32Array;
  /** The place of the project that has the thread. */
  readonly #place: Int32Array;
  readonly #beganAt: Float64Array;
  readonly #endsAt: Float64Array;
  readonly #reportCount: Float64Array;
  /** How many claims the thread has found that the service has not answered yet. */
  #claimCount = 0;
  /** The last call that the watchdog has claimed. */
  #claimedCall = noCall;

  /** The watchdog passes the memory of the thread. */
  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(32);
    this.#call = new Int32Array(this.memory, 0, 1);
    this.#place = new Int32Array(this.memory, 4, 1);
    this.#beganAt = new Float64Array(this.memory, 8, 1);
    this.#endsAt = new Float64Array(this.memory, 16, 1);
    this.#reportCount = new Float64Array(this.memory, 24, 1);
    if (!memory) this.#endsAt[0] = Infinity;
  }

  /**
   * Gives the thread to a project. Returns false if another one has it for itself. `reportCount` is how many messages had left
   * the process with the last report of a write.
   */
  enter(place: number, reportCount: number): boolean {
    if (this.#claimCount > 0 && this.#place[0] !== place) return false;
    this.#place[0] = place;
    this.#reportCount[0] = reportCount;
    return true;
  }

  /** Answers a claim: the projects that had to leave are moved. */
  share(): void {
    this.#claimCount--;
  }

  /** Gives the thread to the next call for a limited time. Never returns if the process is being ended. */
  replace(next: number, limitMs = Infinity): void {
    this.#beganAt[0] = monotonicMs();
    this.#endsAt[0] = this.#beganAt[0] + limitMs;
    const last = Atomics.exchange(this.#call, 0, next);
    if (last === claimed) this.#claimCount++;
    if (last !== stopped) return;
    Atomics.store(this.#call, 0, stopped);
    Atomics.wait(this.#call, 0, stopped);
  }

  /**
   * The running call, its time and its remaining time. If the thread changes its call between, the call seems to have begun just
   * now.
   */
  read(): { call: number; ranMs: number; leftMs: number } {
    const call = Atomics.load(this.#call, 0);
    const now = monotonicMs();
    return {
      call: call === claimed ? this.#claimedCall : call,
      ranMs: now - this.#beganAt[0]!,
      leftMs: this.#endsAt[0]! - now,
    };
  }

  /** Stops the call if it runs. Returns whether it did. */
  stop(call: number): boolean {
    return (
      this.#replaceRunning(call, stopped) || (call === this.#claimedCall && this.#replaceRunning(claimed, stopped))
    );
  }

  /** Keeps other projects from the thread if the call runs. They have done nothing that is not reported. */
  claim(call: number): { place: number; reportCount: number } | undefined {
    if (!this.#replaceRunning(call, claimed)) return undefined;
    this.#claimedCall = call;
    return { place: this.#place[0]!, reportCount: this.#reportCount[0]! };
  }

  #replaceRunning(call: number, state: number): boolean {
    return Atomics.compareExchange(this.#call, 0, call, state) === call;
  }
}

/** A time that is the same in all threads of a process. `performance.now()` begins with its own thread. */
const monotonicMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;
