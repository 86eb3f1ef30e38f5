import { type Clock, delay } from '../base/clock.ts';
import { ProjectError } from '../base/errors.ts';
import { asServiceError } from '../wire/serviceError.ts';
import { checkCount, checkMilliseconds } from './checks.ts';
import { type HttpAnswer, type HttpCall, Exchange } from './exchange.ts';
import type { RetryWait, SqlCallOptions } from './options.ts';
import { retryDelay } from './retryRules.ts';
import type { TransportSettings } from './transportSettings.ts';

/** Keeps the call of a stream open after `send` has returned. The returned function ends the call. */
export type KeepOpen = () => () => void;

type FailedCall = Pick<RetryWait, 'milliseconds' | 'fault' | 'attempt'>;

/** Sends calls with their retries, and ends them on abort, timeout or close. */
export class Transport {
  readonly #settings: TransportSettings;
  readonly #openCalls = new Set<CallScope>();
  /** Set once new calls are refused. Resolves when no call is open. */
  #drained: PromiseWithResolvers<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /** Makes attempts until `read` succeeds with an answer, or no attempt is left. */
  async send<T>(call: HttpCall, read: (answer: HttpAnswer, keepOpen: KeepOpen) => T | Promise<T>): Promise<T> {
    const { clock, onCallEnd, rules: clientRules } = this.#settings;
    const rules = {
      ...clientRules,
      retries: checkCount('retries', call.options.retries ?? clientRules.retries),
    };
    const scope = this.#begin(call.options);
    const { signal } = scope;
    const startedAt = clock.now();
    let exchange: Exchange | undefined;
    let failure: unknown;
    scope.onEnd(() => exchange && onCallEnd && notify(onCallEnd, exchange.report(startedAt, failure)));
    let staysOpen = false;
    const keepOpen: KeepOpen = () => {
      staysOpen = true;
      scope.removeTimeLimit();
      return () => scope.end();
    };
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          exchange = new Exchange(this.#settings, call, { signal, attempt });
          return await exchange.run(answer => read(answer, keepOpen));
        } catch (fault) {
          const { isRepeatable } = call;
          const milliseconds = signal.aborted ? undefined : retryDelay(rules, { attempt, fault, isRepeatable });
          if (milliseconds === undefined || !(fault instanceof ProjectError)) throw fault;
          await this.#waitToRetry({ milliseconds, fault, attempt }, call, signal);
        }
      }
    } catch (thrown) {
      failure = thrown;
      throw thrown;
    } finally {
      if (!staysOpen) scope.end();
    }
  }

  /** Refuses new calls, and closes when the open calls have ended. */
  async drain(): Promise<void> {
    this.#drained ??= Promise.withResolvers<void>();
    if (this.#openCalls.size > 0) await this.#drained.promise;
    await this.close();
  }

  /** Rejects pending calls and frees the sockets. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    for (const scope of this.#openCalls) scope.abort(clientClosed());
    // `drain` must not wait for a stream that nobody reads: it never ends by itself.
    this.#drained ??= Promise.withResolvers<void>();
    this.#drained.resolve();
    if (this.#settings.ownsDispatcher) await this.#settings.dispatcher.destroy();
  }

  /** Waits before the next attempt. Listeners are notified, and can end the wait and the call. */
  async #waitToRetry(failed: FailedCall, { options: { onWait } }: HttpCall, signal: AbortSignal): Promise<void> {
    const { milliseconds, fault } = failed;
    const stopping = new AbortController();
    const over = new AbortController();
    const wait: RetryWait = {
      ...failed,
      isRequested: asServiceError(fault)?.retryAfter !== undefined,
      over: over.signal,
      isWatched: onWait !== undefined,
      stopRetrying: () => stopping.abort(fault),
    };
    for (const listener of [this.#settings.onWait, onWait]) if (listener) notify(listener, wait);
    try {
      await delay(this.#settings.clock, milliseconds, AbortSignal.any([signal, stopping.signal]));
    } finally {
      over.abort();
    }
  }

  #begin({ timeout, signal }: SqlCallOptions): CallScope {
    if (this.#closing ?? this.#drained) throw clientClosed();
    const scope = new CallScope();
    const timeLimitMs = checkMilliseconds('timeout', timeout ?? 0);
    if (timeLimitMs > 0) scope.setTimeLimit(this.#settings.clock, timeLimitMs);
    if (signal) scope.follow(signal);
    this.#openCalls.add(scope);
    scope.onEnd(() => this.#end(scope));
    return scope;
  }

  #end(scope: CallScope): void {
    this.#openCalls.delete(scope);
    if (this.#openCalls.size === 0) this.#drained?.resolve();
  }
}

/** A listener that throws must not fail the call. */
function notify<T>(listener: (value: T) => void, value: T): void {
  try {
    listener(value);
  } catch {
    // The caller of the client owns the listener.
  }
}

const clientClosed = (): ProjectError => new ProjectError('closed', 'client_closed', 'The client was closed.');

/** One signal for all that ends a call early: the caller's signal, the time limit, and closing the client. */
class CallScope {
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

  /** A stream that has begun has no time limit. */
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
