import type { Clock } from '../../base/clock.ts';
import { Debouncer } from '../../base/debouncer.ts';
import type { Disposable } from '../../base/disposable.ts';

interface SchemaRefreshParts {
  readonly fetch: (signal: AbortSignal) => Promise<void>;
  readonly mayRetry: (thrown: unknown) => boolean;
  readonly clock: Clock;
}

/** A script may change the schema with each of its statements. */
const minIntervalMs = 1000;
const firstRetryMs = 10_000;
const maxRetryMs = 10 * 60_000;

/** Fetches the schema of one project: one fetch at a time, at most one a second, and less and less often while it fails. */
export class SchemaRefresh implements Disposable {
  readonly #parts: SchemaRefreshParts;
  readonly #requests: Debouncer;
  readonly #abort = new AbortController();
  #currentFetch: Promise<void> | undefined;
  #nextFetch: Promise<void> | undefined;
  #failures = 0;
  #cancelRetry: (() => void) | undefined;

  constructor(parts: SchemaRefreshParts) {
    this.#parts = parts;
    this.#requests = new Debouncer({
      delayMs: minIntervalMs,
      leading: true,
      clock: parts.clock,
      run: () => void this.fetchNow().catch(() => undefined),
    });
  }

  /** Requests a fetch, unless one is under way or waits for its retry. */
  requestIfIdle(): void {
    if (!this.#currentFetch && !this.#cancelRetry) this.requestSoon();
  }

  /** Requests a fetch after a change: within a second of the last one, without the wait for a retry. */
  requestSoon(): void {
    if (!this.#abort.signal.aborted) this.#requests.schedule();
  }

  /** Fetches now, or again after the fetch under way, which may have begun before a change. */
  fetchNow(): Promise<void> {
    this.#stopRetry();
    if (this.#nextFetch) return this.#nextFetch;
    if (!this.#currentFetch) return this.#start();
    this.#nextFetch = this.#currentFetch
      .catch(() => undefined)
      .then(() => {
        this.#nextFetch = undefined;
        return this.#start();
      });
    return this.#nextFetch;
  }

  dispose(): void {
    this.#abort.abort();
    this.#requests.dispose();
    this.#stopRetry();
  }

  #start(): Promise<void> {
    this.#currentFetch = this.#fetch().finally(() => (this.#currentFetch = undefined));
    return this.#currentFetch;
  }

  async #fetch(): Promise<void> {
    const { fetch, mayRetry } = this.#parts;
    const { signal } = this.#abort;
    signal.throwIfAborted();
    try {
      await fetch(signal);
      this.#failures = 0;
    } catch (thrown) {
      if (!signal.aborted && mayRetry(thrown)) this.#retryLater();
      throw thrown;
    }
  }

  #retryLater(): void {
    const waitMs = Math.min(firstRetryMs * 2 ** this.#failures, maxRetryMs);
    this.#failures++;
    this.#stopRetry();
    this.#cancelRetry = this.#parts.clock.after(waitMs, () => this.requestSoon());
  }

  #stopRetry(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
  }
}
