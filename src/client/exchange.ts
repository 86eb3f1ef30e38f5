import type { Dispatcher } from 'undici';
import { asRecord, parseJson } from '../base/decode.ts';
import { asProjectError, ProjectError } from '../base/errors.ts';
import { untilAborted } from '../base/untilAborted.ts';
import { headerNames } from '../wire/headers.ts';
import { excerptOf, faultOf } from '../wire/refusals.ts';
import { asServiceError, type ServiceError } from '../wire/serviceError.ts';
import { bodyChunks, readBeginning, timeoutError } from './body.ts';
import type { BeforeHook, CallReport, OutgoingRequest, SqlCallOptions } from './options.ts';
import { Redactor, secretsIn } from './redactor.ts';
import { requestHeaders } from './requestHeaders.ts';
import { parseRetryAfter } from './retryRules.ts';
import { transportFault } from './transportFault.ts';
import type { TransportSettings } from './transportSettings.ts';
import type { Clock } from '../base/clock.ts';

export interface HttpCall {
  readonly method: 'GET' | 'POST';
  /** The encoded path below the base URL. */
  readonly path: string;
  readonly body?: string | Uint8Array | undefined;
  /** The statement of the call, for its report. */
  readonly sql?: string | undefined;
  /** False for a call that must not be sent twice. */
  readonly isRepeatable: boolean;
  readonly options: SqlCallOptions;
}

interface RowsRead {
  readonly rows: number;
  readonly changed: number | undefined;
  readonly isComplete: boolean;
  /** Why reading ended early. */
  readonly fault: Error | undefined;
}

/** An answer whose body is not read yet. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Ends the answer, even if it is not read to its end. */
  readonly destroy: () => void;
  readonly redactor: Redactor;
  /** The error for anything thrown while reading. */
  readonly bodyFault: (thrown: unknown) => Error;
  readonly onRowsRead: (read: RowsRead) => void;
}

const errorBodyBytes = 64 * 1024;
const maxIdLength = 200;
/** How much of a statement a report has. */
const maxStatementLength = 1000;
const maxPurposeStatementLength = 100_000;

/** One attempt of a call: headers, hooks, log events, and the errors for faults. The function given to `run` reads the body. */
export class Exchange {
  readonly #settings: TransportSettings;
  readonly #call: HttpCall;
  readonly #target: string;
  readonly #signal: AbortSignal;
  readonly #attempt: number;
  #redactor: Redactor;
  /** Undefined before the answer has arrived. */
  #status: number | undefined;
  /** Identifies the request in the logs of both sides. */
  #requestId: string | undefined;
  /** Undefined before the rows have been read, and for an answer without rows. */
  #rowsRead: RowsRead | undefined;

  constructor(
    settings: TransportSettings,
    call: HttpCall,
    { signal, attempt }: { signal: AbortSignal; attempt: number },
  ) {
    this.#settings = settings;
    this.#call = call;
    this.#target = `${settings.address.path}${call.path}`;
    this.#signal = signal;
    this.#attempt = attempt;
    this.#redactor = new Redactor([settings.apiKey]);
  }

  /** Sends the request and reads its answer. Rejects with a ProjectError or with the signal's reason. */
  async run<T>(read: (answer: HttpAnswer) => T | Promise<T>): Promise<T> {
    let body: Dispatcher.ResponseData['body'] | undefined;
    try {
      const headers = await this.#headers();
      this.#requestId = this.#idIn(name => headers.get(name));
      this.#log('request', () => ({ headers: this.#redactor.headers(headers) }));
      const response = await this.#dispatcher().request(this.#request(headers));
      body = response.body;
      // A body may fail after its reader has stopped. That error is ignored.
      body.on('error', () => {});
      const answer = this.#answer(response);
      this.#status = answer.status;
      this.#requestId = this.#idIn(name => answer.headers[name]) ?? this.#requestId;
      this.#log('response', () => ({
        status: answer.status,
        headers: this.#redactor.headers(Object.entries(answer.headers)),
      }));
      if (answer.status < 200 || answer.status > 299) throw await this.#refusal(answer);
      return await read(answer);
    } catch (thrown) {
      body?.destroy();
      if (this.#signal.aborted) throw this.#signal.reason as Error;
      const fault = this.#callFault(thrown);
      // After the head of an answer, `response` has been logged already.
      if (!body) this.#log('failure', () => ({ code: fault.code }));
      throw fault;
    }
  }

  /** The report of a call whose last attempt this is. `failure` is the error of the call. */
  report(startedAt: number, failure: unknown): CallReport {
    const {
      method,
      sql,
      options: { purpose },
    } = this.#call;
    const { rows, changed, isComplete, fault: readFault } = this.#rowsRead ?? {};
    const thrown = failure ?? readFault;
    const fault = asProjectError(thrown);
    const maxLength = purpose === undefined ? maxStatementLength : maxPurposeStatementLength;
    return {
      method,
      path: this.#redactor.text(this.#target),
      statementStart: sql && this.#redactor.text(sql.slice(0, maxLength), { isCut: sql.length > maxLength }),
      purpose,
      attempts: this.#attempt,
      status: this.#status ?? asServiceError(fault)?.status,
      rows,
      changed,
      milliseconds: this.#settings.clock.now() - startedAt,
      requestId: this.#requestId,
      fault,
      isAborted: !fault && (thrown !== undefined || this.#signal.aborted || isComplete === false),
    };
  }

  /** All headers, after the hooks have run. Hooks do not see the key. A key that a hook sets replaces ours. */
  async #headers(): Promise<Headers> {
    const { apiKey, hooks, address } = this.#settings;
    const { method } = this.#call;
    const headers = requestHeaders(this.#settings, this.#call);
    this.#signal.throwIfAborted();
    try {
      await runHooks(hooks, { method, url: `${address.origin}${this.#target}`, headers }, this.#signal);
    } catch (thrown) {
      this.#redactor = new Redactor([apiKey, ...secretsIn(headers)]);
      const cause = this.#redactor.cause(thrown);
      throw new ProjectError('misuse', 'hook_failed', 'A function in beforeHooks failed. Its error is the cause.', {
        cause,
      });
    }
    if (apiKey !== undefined && !headers.has(headerNames.apiKey)) headers.set(headerNames.apiKey, apiKey);
    this.#redactor = new Redactor([apiKey, ...secretsIn(headers)]);
    return headers;
  }

  #dispatcher(): Dispatcher {
    const { dispatcher, headersTimeout, clock } = this.#settings;
    const hasLimit = headersTimeout > 0 && this.#call.options.timeout === undefined;
    if (!hasLimit) return dispatcher;
    return dispatcher.compose(
      dispatch => (options, handler) => dispatch(options, timed(handler, headersTimeout, clock)),
    );
  }

  #request(headers: Headers): Dispatcher.RequestOptions {
    const { address } = this.#settings;
    const { method, body = null } = this.#call;
    return {
      method,
      body,
      // `timed` and `bodyChunks` have time limits of their own.
      headersTimeout: 0,
      bodyTimeout: 0,
      origin: address.origin,
      path: this.#target,
      headers: Object.fromEntries(headers),
      signal: this.#signal,
    };
  }

  #answer({ statusCode, headers, body }: Dispatcher.ResponseData): HttpAnswer {
    const { bodyTimeout, clock } = this.#settings;
    const bodyFault = (thrown: unknown): Error =>
      this.#signal.aborted ? asError(this.#signal.reason) : this.#callFault(thrown);
    return {
      status: statusCode,
      headers,
      chunks: bodyChunks(body, bodyTimeout, clock),
      destroy: () => body.destroy(),
      redactor: this.#redactor,
      bodyFault,
      onRowsRead: read => (this.#rowsRead = read),
    };
  }

  #idIn(valueOf: (name: string) => unknown): string | undefined {
    const id = valueOf(headerNames.requestId) ?? valueOf(headerNames.correlationId);
    return typeof id === 'string' && id !== '' ? this.#redactor.text(id.slice(0, maxIdLength)) : undefined;
  }

  async #refusal(answer: HttpAnswer): Promise<ServiceError> {
    const { status, headers } = answer;
    const { clock, bodyTimeout } = this.#settings;
    const { text, isCut } = await readBeginning(answer, { maxBytes: errorBodyBytes, maxMs: bodyTimeout, clock });
    const beginning = excerptOf(text);
    const isBeginningCut = isCut || beginning.length < text.length;
    const first = (name: string): string | undefined => [headers[name]].flat()[0];
    return faultOf(status, this.#redactor.refusal(asRecord(parseJson(text)) ?? {}), {
      // `[redacted]` may be longer than a key, so the text is cut again.
      excerpt: excerptOf(this.#redactor.text(beginning, { isCut: isBeginningCut })),
      retryAfter: parseRetryAfter(first(headerNames.retryAfter), clock, first('date')),
      replayed: headers[headerNames.idempotencyReplayed] === 'true',
    });
  }

  #callFault(thrown: unknown): ProjectError {
    return thrown instanceof ProjectError
      ? thrown
      : transportFault(thrown, this.#redactor, this.#settings.address.origin);
  }

  #log(event: string, metadata: () => Readonly<Record<string, unknown>>): void {
    const { logger } = this.#settings;
    if (!logger) return;
    const about = { method: this.#call.method, path: this.#redactor.text(this.#target), attempt: this.#attempt };
    const whole = { ...about, ...metadata() };
    try {
      logger(event, whole);
    } catch {
      // A logger that throws must not fail the call.
    }
  }
}

/** The reason of an abort may be any value. */
function asError(reason: unknown): Error {
  if (reason instanceof Error) return reason;
  return Object.assign(new DOMException('The call was aborted.', 'AbortError'), { cause: reason });
}

/** Rejects with the signal's reason as soon as the signal is aborted, even if a hook never ends. */
async function runHooks(hooks: readonly BeforeHook[], request: OutgoingRequest, signal: AbortSignal): Promise<void> {
  for (const hook of hooks) await untilAborted(Promise.resolve(hook({ ...request })), signal);
}

/**
 * Fails a request if no answer begins within `limitMs` after it was sent. Waiting for a connection does not count. undici has
 * such a limit too, but its timers tick only twice a second.
 */
function timed(handler: Dispatcher.DispatchHandler, limitMs: number, clock: Clock): Dispatcher.DispatchHandler {
  let cancelTimer: (() => void) | undefined;
  return {
    onRequestStart(controller, context) {
      cancelTimer?.();
      cancelTimer = clock.after(limitMs, () => controller.abort(timeoutError('UND_ERR_HEADERS_TIMEOUT')));
      handler.onRequestStart?.(controller, context);
    },
    onResponseStart(controller, status, headers, message) {
      // A status below 200 only announces the answer.
      if (status >= 200) cancelTimer?.();
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseError(controller, error) {
      cancelTimer?.();
      handler.onResponseError?.(controller, error);
    },
    onResponseData(controller, chunk) {
      handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd(controller, trailers) {
      handler.onResponseEnd?.(controller, trailers);
    },
  };
}
