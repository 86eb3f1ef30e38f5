import { type Clock, delay } from '../../base/clock.ts';
import type { RetryWait } from '../../client/index.ts';

/** The wait for a service that is too busy for the next call of an import. */
export class ImportWait {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #onChange: () => void;
  clientWaits = 0;
  #wait: { readonly endsAt: number; readonly stop: () => void } | undefined;

  constructor(clock: Clock, signal: AbortSignal, onChange: () => void) {
    this.#clock = clock;
    this.#signal = signal;
    this.#onChange = onChange;
  }

  /** The rest of the wait, in milliseconds. Undefined while the import does not wait. */
  get remainingMs(): number | undefined {
    return this.#wait && Math.max(0, this.#wait.endsAt - this.#clock.now());
  }

  stop(): void {
    this.#wait?.stop();
  }

  async waitFor(milliseconds: number): Promise<void> {
    this.#begin(milliseconds, () => undefined);
    try {
      await delay(this.#clock, milliseconds, this.#signal);
    } finally {
      this.#end();
    }
  }

  readonly onClientWait = ({ milliseconds, over, stopRetrying }: RetryWait): void => {
    this.clientWaits++;
    over.addEventListener('abort', () => this.#end());
    this.#begin(milliseconds, stopRetrying);
    if (this.#signal.aborted) stopRetrying();
  };

  #begin(milliseconds: number, stop: () => void): void {
    this.#wait = { endsAt: this.#clock.now() + milliseconds, stop };
    this.#onChange();
  }

  #end(): void {
    this.#wait = undefined;
    this.#onChange();
  }
}
