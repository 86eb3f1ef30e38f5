import type { Dispatcher } from 'undici';
import type { Clock } from '../base/clock.ts';
import type { Backoff } from './retryRules.ts';
import type { RetryWait } from './retryWait.ts';

/** A request on its way out. The key is not among its headers yet: a hook may set one, but never reads ours. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
}

export type BeforeHook = (request: OutgoingRequest) => void | Promise<void>;

/** Hears `request` and `response` of every attempt, or `failure` where none came, with no key in the metadata. */
export type ClientLogger = (event: string, metadata: Readonly<Record<string, unknown>>) => void;

export interface ClientOptions {
  /** Where the service is, such as `https://sql.example.com`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly holderId?: string | undefined;
  readonly projectName?: string | undefined;
  /** What the service's paths begin with; `/serviceSql` unless set. */
  readonly pathPrefix?: string | undefined;
  readonly logger?: ClientLogger | undefined;
  /** Hears of each pause before an attempt is made again, and may give up. */
  readonly onWait?: ((wait: RetryWait) => void) | undefined;
  /** Attempts after the first one; 3 unless set, 0 turns retries off. */
  readonly retries?: number | undefined;
  /** Waits between attempts; 300 ms doubled up to 3 s unless set. */
  readonly backoff?: Partial<Backoff> | undefined;
  /** The longest `Retry-After` that is waited for, in milliseconds; 30 s unless set. */
  readonly maxRetryDelay?: number | undefined;
  /** Milliseconds until an answer must begin; 30 s unless set, 0 for no limit. */
  readonly headersTimeout?: number | undefined;
  /** Milliseconds that a body may be silent; 30 s unless set, 0 for no limit. */
  readonly bodyTimeout?: number | undefined;
  readonly beforeHooks?: readonly BeforeHook[] | undefined;
  /** The largest row that is taken, in bytes; 64 MiB unless set. */
  readonly maxRowBytes?: number | undefined;
  /** False gives integers beyond 2^53 as rounded numbers instead of bigints. */
  readonly exactIntegers?: boolean | undefined;
  /** Lets a key travel over `http:` to other machines. */
  readonly allowInsecure?: boolean | undefined;
  /** The undici dispatcher to use. It stays the caller's own: closing the client leaves it open. */
  readonly dispatcher?: Dispatcher | undefined;
  readonly clock?: Clock | undefined;
  /** A number from 0 up to 1, for the jitter of waits. */
  readonly random?: (() => number) | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Milliseconds until the answer must be there, retries and waits included; for a stream, until it begins. Takes the
   * place of the client's headersTimeout. 0 for no limit.
   */
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  /** Hears of the waits of this call, besides the client's own. */
  readonly onWait?: ((wait: RetryWait) => void) | undefined;
}

export interface SqlCallOptions extends CallOptions {
  /** Makes a statement safe to send twice: the service runs it once. */
  readonly idempotencyKey?: string | undefined;
  /** Says of a statement that it only reads, where its first word does not tell: it may be sent again then. */
  readonly reads?: boolean | undefined;
}
