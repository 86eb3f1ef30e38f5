import { ProjectError } from '../base/errors.ts';
import { CallScope } from './callScope.ts';
import { type Answer, type Call, Exchange } from './exchange.ts';
import type { SqlCallOptions } from './options.ts';
import { retryDelay } from './retryRules.ts';
import { pause } from './retryWait.ts';
import { checkCount, checkMilliseconds, type TransportSettings } from './transportSettings.ts';

/** Keeps a call open beyond its promise, for whoever reads on. What it gives back ends the call. */
export type Keep = () => () => void;

/** Sends calls: their attempts, the waits between them, and all that may end them early. */
export class Transport {
  readonly #settings: TransportSettings;
  readonly #open = new Set<CallScope>();
  #idle: PromiseWithResolvers<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /** Makes attempts until one is read to its end by `read`, or until none is left. */
  async send<T>(call: Call, read: (answer: Answer, keep: Keep) => T | Promise<T>): Promise<T> {
    const rules = {
      ...this.#settings.rules,
      retries: checkCount('retries', call.options.retries ?? this.#settings.rules.retries),
    };
    const scope = this.#begin(call.options);
    let kept = false;
    const keep: Keep = () => {
      kept = true;
      scope.lift();
      return () => scope.end();
    };
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const exchange = new Exchange(this.#settings, call, { signal: scope.signal, attempt });
          return await exchange.run(answer => read(answer, keep));
        } catch (fault) {
          const { repeatable } = call;
          const wait = scope.signal.aborted ? undefined : retryDelay(rules, { attempt, fault, repeatable });
          if (wait === undefined || !(fault instanceof ProjectError)) throw fault;
          const { clock, onWait } = this.#settings;
          const watchers = [onWait, call.options.onWait] as const;
          await pause({ milliseconds: wait, fault, attempt, clock, signal: scope.signal, watchers });
        }
      }
    } finally {
      if (!kept) scope.end();
    }
  }

  /** Takes no more calls, and closes once those that are under way have come to their end. */
  async drain(): Promise<void> {
    this.#idle ??= Promise.withResolvers<void>();
    if (this.#open.size > 0) await this.#idle.promise;
    await this.close();
  }

  /** Rejects what is pending and frees the sockets. */
  async close(): Promise<void> {
    this.#closed ??= this.#close();
    await this.#closed;
  }

  async #close(): Promise<void> {
    for (const scope of this.#open) scope.abort(clientClosed());
    // A stream that nobody reads on is ended, but never comes to its end.
    this.#idle ??= Promise.withResolvers<void>();
    this.#idle.resolve();
    if (this.#settings.ownsDispatcher) await this.#settings.dispatcher.destroy();
  }

  #begin({ timeout, signal }: SqlCallOptions): CallScope {
    if (this.#closed ?? this.#idle) throw clientClosed();
    const scope = new CallScope();
    const limit = checkMilliseconds('timeout', timeout ?? 0);
    if (limit > 0) scope.limit(this.#settings.clock, limit);
    if (signal) scope.follow(signal);
    this.#open.add(scope);
    scope.onEnd(() => this.#end(scope));
    return scope;
  }

  #end(scope: CallScope): void {
    this.#open.delete(scope);
    if (this.#open.size === 0) this.#idle?.resolve();
  }
}

const clientClosed = (): ProjectError => new ProjectError('closed', 'client_closed', 'The client was closed.');
