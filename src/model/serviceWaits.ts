import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import type { RetryWait } from '../client/index.ts';
import type { RunWait } from './results/run.ts';

interface Wait {
  readonly endsAt: number;
  readonly stopRetrying: () => void;
}

/** The Retry-After waits that a service demands of a group of calls. */
export class ServiceWaits {
  readonly #clock: Clock;
  readonly #changes = new Emitter<void>();
  readonly #waits = new Set<Wait>();

  readonly onChange = this.#changes.on;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The wait that takes longest; undefined without any. Cancelling it ends all, and their calls fail. */
  get longest(): RunWait | undefined {
    if (this.#waits.size === 0) return undefined;
    const now = this.#clock.now();
    return {
      remainingMs: Math.max(0, ...[...this.#waits].map(({ endsAt }) => endsAt - now)),
      cancel: () => {
        for (const { stopRetrying } of [...this.#waits]) stopRetrying();
      },
    };
  }

  readonly onWait = (wait: RetryWait): void => {
    if (wait.isRequested) this.add(wait);
  };

  add({ milliseconds, over, stopRetrying }: Pick<RetryWait, 'milliseconds' | 'over' | 'stopRetrying'>): void {
    const wait = { endsAt: this.#clock.now() + milliseconds, stopRetrying };
    this.#waits.add(wait);
    over.addEventListener('abort', () => {
      this.#waits.delete(wait);
      this.#changes.fire();
    });
    this.#changes.fire();
  }
}
