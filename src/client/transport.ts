import { Agent, type Dispatcher } from 'undici';
import { type Clock, delay, systemClock } from '../base/clock.ts';
import { ProjectError } from '../base/errors.ts';
import { asRecord, parseJson } from '../base/shape.ts';
import { headerNames } from '../wire/headers.ts';
import { excerptOf, faultOf, type ServiceError } from '../wire/serviceError.ts';
import { type Address, parseBaseUrl } from './baseUrl.ts';
import { readBeginning } from './bodyText.ts';
import { CallScope } from './callScope.ts';
import { type BeforeHook, checkCount, checkMilliseconds, type ClientOptions, type SqlCallOptions } from './options.ts';
import { Redactor } from './redactor.ts';
import { requestHeaders, setHeader } from './requestHeaders.ts';
import { parseRetryAfter, retryDelay, type RetryRules } from './retryRules.ts';
import { transportFault } from './transportFault.ts';

export interface Call {
  readonly method: 'GET' | 'POST';
  /** Below the base URL, encoded. */
  readonly path: string;
  readonly body?: string | undefined;
  /** False for what must not happen twice. */
  readonly repeatable: boolean;
  readonly options: SqlCallOptions;
}

/** An answer of a success status whose body is still to be read. */
export interface Answer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Dispatcher.ResponseData['body'];
  readonly redactor: Redactor;
  /** Keeps the call open beyond its promise, for whoever reads on; the answer ends it. */
  keep(): () => void;
  faultOf(thrown: unknown): Error;
}

/** Sockets at most for one client: more calls than that wait their turn, in order. */
const maxConnections = 64;
const errorBodyBytes = 64 * 1024;

/** Sends calls: headers, hooks, attempts and the waits between them, and what every fault means. */
export class Transport {
  readonly #apiKey: string | undefined;
  readonly #options: ClientOptions;
  readonly #hooks: readonly BeforeHook[];
  readonly #address: Address;
  readonly #dispatcher: Dispatcher;
  readonly #clock: Clock;
  readonly #rules: RetryRules;
  readonly #timeouts: { readonly headersTimeout: number; readonly bodyTimeout: number };
  readonly #open = new Set<CallScope>();
  #closed: Promise<void> | undefined;

  constructor(options: ClientOptions, hooks: readonly BeforeHook[]) {
    const { apiKey, ...shown } = options;
    this.#apiKey = apiKey === '' ? undefined : apiKey;
    if (this.#apiKey !== undefined) setHeader(new Headers(), headerNames.apiKey, this.#apiKey);
    this.#options = shown;
    this.#hooks = hooks;
    this.#address = parseBaseUrl(options.baseUrl, options.allowInsecure ?? false);
    this.#clock = options.clock ?? systemClock;
    this.#rules = {
      retries: checkCount('retries', options.retries ?? 3),
      backoff: {
        first: checkMilliseconds('backoff.first', options.backoff?.first ?? 300),
        max: checkMilliseconds('backoff.max', options.backoff?.max ?? 3000),
      },
      maxRetryDelay: checkMilliseconds('maxRetryDelay', options.maxRetryDelay ?? 30_000),
      random: options.random ?? Math.random,
    };
    this.#timeouts = {
      headersTimeout: checkMilliseconds('headersTimeout', options.headersTimeout ?? 30_000),
      bodyTimeout: checkMilliseconds('bodyTimeout', options.bodyTimeout ?? 30_000),
    };
    this.#dispatcher = options.dispatcher ?? new Agent({ connections: maxConnections });
  }

  /** Makes attempts until one is read to its end by `read`, or until none is left. */
  async send<T>(call: Call, read: (answer: Answer) => Promise<T>): Promise<T> {
    const rules = { ...this.#rules, retries: checkCount('retries', call.options.retries ?? this.#rules.retries) };
    const scope = this.#begin(call.options);
    let kept = false;
    const keep = (): (() => void) => {
      kept = true;
      scope.lift();
      return () => scope.end();
    };
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#attempt({ ...call, scope, attempt, keep }, read);
        } catch (fault) {
          const wait = scope.signal.aborted ? undefined : retryDelay(rules, { ...call, attempt, fault });
          if (wait === undefined) throw fault;
          await delay(this.#clock, wait, scope.signal);
        }
      }
    } finally {
      if (!kept) scope.end();
    }
  }

  /** Rejects what is pending and frees the sockets. */
  async close(): Promise<void> {
    this.#closed ??= this.#close();
    await this.#closed;
  }

  async #close(): Promise<void> {
    for (const scope of this.#open) scope.abort(clientClosed());
    if (!this.#options.dispatcher) await this.#dispatcher.destroy();
  }

  #begin(options: SqlCallOptions): CallScope {
    if (this.#closed) throw clientClosed();
    const scope = new CallScope();
    if (options.timeout !== undefined) scope.limit(this.#clock, checkMilliseconds('timeout', options.timeout));
    if (options.signal) scope.follow(options.signal);
    this.#open.add(scope);
    scope.onEnd(() => this.#open.delete(scope));
    return scope;
  }

  async #attempt<T>(
    { method, path, body, options, scope, attempt, keep }: Call & Attempt,
    read: (answer: Answer) => Promise<T>,
  ): Promise<T> {
    const { origin, path: basePath } = this.#address;
    const target = `${basePath}${path}`;
    const headers = requestHeaders({ ...this.#options, hasBody: body !== undefined, options } as never);
    let redactor = new Redactor([this.#apiKey]);
    scope.signal.throwIfAborted();
    await this.#runHooks({ method, url: `${origin}${target}`, headers }, redactor);
    if (this.#apiKey !== undefined && !headers.has(headerNames.apiKey)) headers.set(headerNames.apiKey, this.#apiKey);
    redactor = new Redactor([this.#apiKey, headers.get(headerNames.apiKey)]);
    const about = { method, path: redactor.text(target), attempt };
    const toFault = (thrown: unknown): Error => {
      if (scope.signal.aborted) return reasonOf(scope.signal);
      return thrown instanceof ProjectError ? thrown : transportFault(thrown, redactor);
    };
    this.#log('request', { ...about, headers: redactor.headers(headers) });
    let response: Dispatcher.ResponseData | undefined;
    try {
      response = await this.#dispatcher.request({
        origin,
        method,
        path: target,
        headers: Object.fromEntries(headers),
        body: body ?? null,
        signal: scope.signal,
        headersTimeout: options.timeout === undefined ? this.#timeouts.headersTimeout : 0,
        bodyTimeout: this.#timeouts.bodyTimeout,
      });
      const answer: Answer = { ...pick(response), redactor, keep, faultOf: toFault };
      // A body whose reader is gone may still fail; that is nobody's error any more.
      answer.body.on('error', () => {});
      this.#log('response', {
        ...about,
        status: answer.status,
        headers: redactor.headers(Object.entries(answer.headers)),
      });
      if (answer.status < 200 || answer.status > 299) throw await this.#refusal(answer);
      return await read(answer);
    } catch (thrown) {
      response?.body.destroy();
      throw scope.signal.aborted ? scope.signal.reason : toFault(thrown);
    }
  }

  async #runHooks(request: Parameters<BeforeHook>[0], redactor: Redactor): Promise<void> {
    try {
      for (const hook of this.#hooks) await hook(request);
    } catch (thrown) {
      throw new ProjectError('misuse', 'hook_failed', 'A hook that runs before requests has failed.', {
        cause: redactor.cause(thrown),
      });
    }
  }

  async #refusal({ status, headers, body, redactor }: Answer): Promise<ServiceError> {
    const text = await readBeginning(body, errorBodyBytes);
    const retryAfter = parseRetryAfter(firstOf(headers[headerNames.retryAfter]), this.#clock);
    const excerpt = excerptOf(redactor.text(text));
    return faultOf(status, redactor.record(asRecord(parseJson(text)) ?? {}), { excerpt, retryAfter });
  }

  #log(event: string, metadata: Readonly<Record<string, unknown>>): void {
    try {
      this.#options.logger?.(event, metadata);
    } catch {
      // A logger that fails must not fail the call that it was told of.
    }
  }
}

interface Attempt {
  readonly scope: CallScope;
  readonly attempt: number;
  readonly keep: () => () => void;
}

const pick = ({ statusCode, headers, body }: Dispatcher.ResponseData) => ({ status: statusCode, headers, body });

const clientClosed = (): ProjectError => new ProjectError('closed', 'client_closed', 'The client was closed.');

/** The signal's reason as an Error, for those who cannot reject with anything else. */
function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error
    ? reason
    : Object.assign(new DOMException('The call was aborted.', 'AbortError'), { cause: reason as unknown });
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
