import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Clock } from '../base/clock.ts';
import type { Backoff } from './retryRules.ts';
import type { ProjectError } from '../base/errors.ts';

/** A request before it is sent. Its headers do not hold the key yet: hooks cannot read it, but may set their own. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
}

export type BeforeHook = (request: OutgoingRequest) => void | Promise<void>;

/**
 * Called for every attempt with `request`, then with `response` or `failure`. A cancelled attempt may have no second event.
 * The metadata holds no key.
 */
export type ClientLogger = (event: string, metadata: Readonly<Record<string, unknown>>) => void;

/** The wait before the next attempt of a call. */
export interface RetryWait {
  readonly milliseconds: number;
  /** Why the last attempt failed. */
  readonly fault: ProjectError;
  /** Whether the service asked to wait. Other waits end before anyone can read about them. */
  readonly isRequested: boolean;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** Aborted when the wait is over for any reason. */
  readonly over: AbortSignal;
  /** Whether the call has its own `onWait`, besides that of the client. */
  readonly isWatched: boolean;
  /** Ends the call at once with the fault. */
  readonly stopRetrying: () => void;
}

/** The outcome of a call, with all its attempts. It holds no key and no parameters. */
export interface CallReport {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** The beginning of the statement, with the values written in it. Undefined for a call without a statement. */
  readonly statementStart: string | undefined;
  /** The word that the caller gave for the report. */
  readonly purpose: string | undefined;
  readonly attempts: number;
  /** The HTTP status of the last answer. Undefined if there was none. */
  readonly status: number | undefined;
  /** Undefined for a call without rows. */
  readonly rows: number | undefined;
  /** How many rows a write changed. */
  readonly changed: number | undefined;
  /** From the call to the end of its answer. */
  readonly milliseconds: number;
  /** The header `x-request-id` of the answer, or else `x-correlation-id` of the answer or of the request. */
  readonly requestId: string | undefined;
  readonly fault: ProjectError | undefined;
  /** Whether the caller ended the call before its answer was complete. */
  readonly isAborted: boolean;
}

export interface ClientOptions {
  /** The address of the service, such as `https://sql.example.com`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly holderId?: string | undefined;
  readonly projectName?: string | undefined;
  /** The prefix of the service's paths. Default: `/serviceSql`. */
  readonly pathPrefix?: string | undefined;
  readonly logger?: ClientLogger | undefined;
  /** Called for each wait before a retry. It may end the call. */
  readonly onWait?: ((wait: RetryWait) => void) | undefined;
  /** Called once for each call, when its answer has been read or the call has failed. */
  readonly onCallEnd?: ((report: CallReport) => void) | undefined;
  /** The most retries of a call. Default: 3. 0 turns retries off. */
  readonly retries?: number | undefined;
  /** The waits before retries. Default: 300 ms, doubled up to 3 s. */
  readonly backoff?: Partial<Backoff> | undefined;
  /** The longest `Retry-After` that is waited for, in milliseconds. A longer one ends the call. Default: 30 s. */
  readonly maxRetryDelay?: number | undefined;
  /** Milliseconds until an answer must begin. Default: 30 s. 0 for no limit. */
  readonly headersTimeout?: number | undefined;
  /** Milliseconds that a body may be silent. Default: 30 s. 0 for no limit. */
  readonly bodyTimeout?: number | undefined;
  /**
   * Milliseconds that a reader may wait for the next whole row, or for a whole answer without rows, as of `listTables`.
   * Default: 5 minutes, or `bodyTimeout` if that is longer. 0 for no limit.
   */
  readonly rowTimeout?: number | undefined;
  readonly beforeHooks?: readonly BeforeHook[] | undefined;
  /** The most bytes of a row. A larger row is an error. Default: 64 MiB. */
  readonly maxRowBytes?: number | undefined;
  /** False decodes integers beyond 2^53 as rounded numbers instead of bigints. */
  readonly exactIntegers?: boolean | undefined;
  /** Allows `http:` to other machines, although it does not encrypt the key. */
  readonly allowInsecure?: boolean | undefined;
  /** The undici dispatcher to use. Closing the client does not close it. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Opens each connection. It may check who answers: nothing is sent before it resolves. */
  readonly connect?: (() => Promise<Socket>) | undefined;
  readonly clock?: Clock | undefined;
  /** Returns a number from 0 to 1, for the jitter of waits. */
  readonly random?: (() => number) | undefined;
}

/** Has each name, as the compiler checks. */
const namesOfOptions: Readonly<Record<keyof ClientOptions, true>> = {
  baseUrl: true,
  apiKey: true,
  holderId: true,
  projectName: true,
  pathPrefix: true,
  logger: true,
  onWait: true,
  onCallEnd: true,
  retries: true,
  backoff: true,
  maxRetryDelay: true,
  headersTimeout: true,
  bodyTimeout: true,
  rowTimeout: true,
  beforeHooks: true,
  maxRowBytes: true,
  exactIntegers: true,
  allowInsecure: true,
  dispatcher: true,
  connect: true,
  clock: true,
  random: true,
};
export const optionNames: readonly string[] = Object.keys(namesOfOptions);

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Milliseconds until the whole answer must have arrived, including retries and waits. For a stream, until it begins.
   * Replaces the client's headersTimeout. 0 for no limit.
   */
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  /** Called for each wait of this call, after the client's `onWait`. */
  readonly onWait?: ((wait: RetryWait) => void) | undefined;
}

export interface SqlCallOptions extends CallOptions {
  /** Allows retries of a write: the service runs it only once for a key. */
  readonly idempotencyKey?: string | undefined;
  /** Set this for a statement that only reads, if it is not a plain SELECT or VALUES. Retries are allowed then. */
  readonly isReadOnly?: boolean | undefined;
  /** Replaces the client's rowTimeout. */
  readonly rowTimeout?: number | undefined;
  /**
   * `execSql` refuses a larger answer, in bytes as the README counts them, and a larger row. Default: four times the client's
   * maxRowBytes. Set it for a statement whose answer is small, so that no service fills the memory.
   */
  readonly maxAnswerBytes?: number | undefined;
  /** Called once with the number of bytes read, also if reading ended early. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** A word for the report of the call, whose statement then has up to 100,000 characters. */
  readonly purpose?: string | undefined;
}
