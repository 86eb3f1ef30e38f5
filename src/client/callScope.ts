import type { Clock } from '../base/clock.ts';
import { ProjectError } from '../base/errors.ts';

/** Everything that can end a call early, as one signal: the caller's signal, the time limit, and closing the client. */
export class CallScope {
  readonly #controller = new AbortController();
  readonly #onEnd: (() => void)[] = [];
  #cancelTimer: (() => void) | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  follow(signal: AbortSignal): void {
    const abort = (): void => this.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    this.#onEnd.push(() => signal.removeEventListener('abort', abort));
  }

  setTimeLimit(clock: Clock, milliseconds: number): void {
    this.#cancelTimer = clock.after(milliseconds, () => {
      this.abort(new ProjectError('transport', 'timeout', `The call took longer than ${milliseconds} ms.`));
    });
  }

  /** For a stream that has begun: it has no time limit as a whole. */
  removeTimeLimit(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  onEnd(run: () => void): void {
    this.#onEnd.push(run);
  }

  /** Runs the `onEnd` functions once. */
  end(): void {
    this.removeTimeLimit();
    for (const run of this.#onEnd.splice(0)) run();
  }
}
