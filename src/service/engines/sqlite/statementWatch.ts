import type { Clock } from '../../../base/clock.ts';
import type { ServiceError } from '../../../wire/serviceError.ts';
import { statementTimeout, tooMuchMemory } from './processFaults.ts';
import type { HolderReport, Watchdog } from './watchdog.ts';

/** How long a process gets to stop a cancelled statement, in milliseconds. */
const graceMs = 1000;
/** The interval of the checks while there are calls, in milliseconds. Memory can grow by a gigabyte in a second. */
const checkMs = 250;

/** A call as far as its limits concern it. */
interface LimitedCall {
  /** How long its statement may run. Infinity for the service's own calls, whose memory has no limit either. */
  readonly limitMs: number;
  /** How long its rows have had the thread so far. */
  readonly threadMs: number;
}

interface WatchOptions {
  readonly watchdog: Watchdog;
  readonly clock: Clock;
  readonly calls: ReadonlyMap<number, LimitedCall>;
  readonly maxMegabytes: number;
}

/** Ends a project's process for a statement that runs too long, takes too much memory, or does not stop. */
export class StatementWatch {
  readonly #options: WatchOptions;
  /** The call that the process was ended for. */
  #culprit: { readonly call: number; readonly reason: ServiceError } | undefined;
  #cancelCheck: (() => void) | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Whether the process was ended for a statement. */
  get hasEnded(): boolean {
    return this.#culprit !== undefined;
  }

  /** The reason why the process was ended for this call; undefined if it was not. */
  reasonFor(call: number): ServiceError | undefined {
    return this.#culprit?.call === call ? this.#culprit.reason : undefined;
  }

  /** Checks the calls after that time or earlier, and again while there are any. */
  checkWithin(milliseconds: number): void {
    if (this.#cancelCheck || !Number.isFinite(milliseconds)) return;
    this.#cancelCheck = this.#options.clock.after(Math.min(milliseconds, checkMs), () => {
      this.#cancelCheck = undefined;
      void this.#check();
    });
  }

  /** Ends the process if it still works on a cancelled call after a while. */
  endAfterGrace(call: number): void {
    this.#options.clock.after(graceMs, () => void this.#endUnlessGone(call));
  }

  stop(): void {
    this.#cancelCheck?.();
  }

  async #check(): Promise<void> {
    const { calls, watchdog } = this.#options;
    if (calls.size === 0) return;
    const shortestMs = Math.min(...[...calls.values()].map(({ limitMs }) => limitMs));
    const report = await watchdog.holder();
    const running = calls.get(report.call);
    const leftMs = running ? running.limitMs - running.threadMs - report.milliseconds : Infinity;
    const reason = running && this.#reasonToEnd(running, report);
    if (reason && (await this.#end(report.call, reason))) return;
    this.checkWithin(Math.max(Math.min(shortestMs, leftMs), 1));
  }

  #reasonToEnd(
    { limitMs, threadMs }: LimitedCall,
    { milliseconds, megabytes }: HolderReport,
  ): ServiceError | undefined {
    if (limitMs <= threadMs + milliseconds) return statementTimeout(limitMs);
    const { maxMegabytes } = this.#options;
    return Number.isFinite(limitMs) && megabytes > maxMegabytes ? tooMuchMemory(maxMegabytes) : undefined;
  }

  async #endUnlessGone(call: number): Promise<void> {
    const cancelled = this.#options.calls.get(call);
    if (!cancelled) return;
    // A call that waits for another one, or commits, is not ended: check again later.
    if (!(await this.#end(call, statementTimeout(cancelled.limitMs)))) this.endAfterGrace(call);
  }

  async #end(call: number, reason: ServiceError): Promise<boolean> {
    const hasEnded = await this.#options.watchdog.end(call);
    if (hasEnded) this.#culprit = { call, reason };
    return hasEnded;
  }
}
