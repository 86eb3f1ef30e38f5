import type { Clock } from '../base/clock.ts';
import { ProjectError } from '../base/errors.ts';

/** Whatever can end a call early, in one signal: the caller's own signal, the call's time limit, the closing client. */
export class CallScope {
  readonly #controller = new AbortController();
  readonly #undo: (() => void)[] = [];
  #stopTimer: (() => void) | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  follow(signal: AbortSignal): void {
    const abort = (): void => this.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    this.#undo.push(() => signal.removeEventListener('abort', abort));
  }

  limit(clock: Clock, milliseconds: number): void {
    this.#stopTimer = clock.after(milliseconds, () => {
      this.abort(new ProjectError('transport', 'timeout', `The call took longer than ${milliseconds} ms.`));
    });
  }

  /** A stream that has begun has no time limit as a whole. */
  lift(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Calls back once when the scope ends. */
  onEnd(run: () => void): void {
    this.#undo.push(run);
  }

  end(): void {
    this.lift();
    for (const undo of this.#undo.splice(0)) undo();
  }
}
