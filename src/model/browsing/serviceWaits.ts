import { Emitter } from '../../base/emitter.ts';
import { asCount, asRecord } from '../../base/shape.ts';
import type { RetryWait } from '../../client/index.ts';

interface Waiting {
  readonly until: number;
  readonly giveUp: () => void;
}

/** The waits that a service asks for before calls are sent again, of all calls that are made for one thing. */
export class ServiceWaits {
  readonly #now: () => number;
  readonly #changes = new Emitter<void>();
  readonly #waiting = new Set<Waiting>();

  /** Heard when a wait begins or is over. */
  readonly onChange = this.#changes.on;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How long the longest of them still takes; undefined while there is none. */
  get leftMs(): number | undefined {
    if (this.#waiting.size === 0) return undefined;
    return Math.max(0, ...[...this.#waiting].map(({ until }) => until - this.#now()));
  }

  /** An attempt has failed, and another one follows. */
  readonly onWait = ({ fault, milliseconds, over, giveUp }: RetryWait): void => {
    // The other waits are over before anybody could read of them.
    if (asCount(asRecord(fault)?.['retryAfter']) === undefined) return;
    const waiting = { until: this.#now() + milliseconds, giveUp };
    this.#waiting.add(waiting);
    over.addEventListener('abort', () => {
      this.#waiting.delete(waiting);
      this.#changes.fire();
    });
    this.#changes.fire();
  };

  /** Ends them all, and their calls with the fault that made them wait. */
  giveUp(): void {
    for (const { giveUp } of [...this.#waiting]) giveUp();
  }
}
