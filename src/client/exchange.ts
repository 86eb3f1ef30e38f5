import type { Dispatcher } from 'undici';
import { ProjectError } from '../base/errors.ts';
import { asRecord, parseJson } from '../base/shape.ts';
import { headerNames } from '../wire/headers.ts';
import { excerptOf, faultOf, type ServiceError } from '../wire/serviceError.ts';
import { bodyChunks } from './bodyChunks.ts';
import { readBeginning } from './bodyText.ts';
import type { SqlCallOptions } from './options.ts';
import { Redactor } from './redactor.ts';
import { requestHeaders } from './requestHeaders.ts';
import { parseRetryAfter } from './retryRules.ts';
import { runHooks } from './runHooks.ts';
import { transportFault } from './transportFault.ts';
import type { TransportSettings } from './transportSettings.ts';

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
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Ends the answer, read or not. */
  readonly destroy: () => void;
  readonly redactor: Redactor;
  readonly faultOf: (thrown: unknown) => Error;
}

const errorBodyBytes = 64 * 1024;

/** One request and the head of its answer: headers, hooks, log events, and what every fault means. */
export class Exchange {
  readonly #settings: TransportSettings;
  readonly #call: Call;
  readonly #target: string;
  readonly #signal: AbortSignal;
  readonly #attempt: number;
  #redactor: Redactor;

  constructor(settings: TransportSettings, call: Call, { signal, attempt }: { signal: AbortSignal; attempt: number }) {
    this.#settings = settings;
    this.#call = call;
    this.#target = `${settings.address.path}${call.path}`;
    this.#signal = signal;
    this.#attempt = attempt;
    this.#redactor = new Redactor([settings.apiKey]);
  }

  /** Sends the request and reads its answer by `read`; whatever goes wrong is an error of the family or the abort's reason. */
  async run<T>(read: (answer: Answer) => T | Promise<T>): Promise<T> {
    let body: Dispatcher.ResponseData['body'] | undefined;
    try {
      const headers = await this.#headers();
      this.#log('request', { headers: this.#redactor.headers(headers) });
      const response = await this.#settings.dispatcher.request(this.#request(headers));
      body = response.body;
      // A body whose reader is gone may still fail; that is nobody's error any more.
      body.on('error', () => {});
      const answer = this.#answer(response);
      this.#log('response', {
        status: answer.status,
        headers: this.#redactor.headers(Object.entries(answer.headers)),
      });
      if (answer.status < 200 || answer.status > 299) throw await this.#refusal(answer);
      return await read(answer);
    } catch (thrown) {
      body?.destroy();
      // The reason is the caller's own and is passed on as it is.
      if (this.#signal.aborted) throw this.#signal.reason as Error;
      const fault = this.#faultOf(thrown);
      if (!body) this.#log('failure', { code: fault.code });
      throw fault;
    }
  }

  /** All headers, after the hooks have run. A hook sees all but the key; one that it sets itself wins over ours. */
  async #headers(): Promise<Headers> {
    const { apiKey, holderId, projectName, hooks, address } = this.#settings;
    const { method, body, options } = this.#call;
    const headers = requestHeaders({ holderId, projectName, hasBody: body !== undefined, options });
    this.#signal.throwIfAborted();
    try {
      await runHooks(hooks, { method, url: `${address.origin}${this.#target}`, headers }, this.#signal);
    } catch (thrown) {
      const cause = this.#redactor.cause(thrown);
      throw new ProjectError('misuse', 'hook_failed', 'A hook that runs before requests has failed.', { cause });
    }
    if (apiKey !== undefined && !headers.has(headerNames.apiKey)) headers.set(headerNames.apiKey, apiKey);
    this.#redactor = new Redactor([apiKey, headers.get(headerNames.apiKey)]);
    return headers;
  }

  #request(headers: Headers): Dispatcher.RequestOptions {
    const { address, headersTimeout } = this.#settings;
    const { method, body = null, options } = this.#call;
    return {
      method,
      body,
      // The body is watched where it is read.
      bodyTimeout: 0,
      origin: address.origin,
      path: this.#target,
      headers: Object.fromEntries(headers),
      signal: this.#signal,
      headersTimeout: options.timeout === undefined ? headersTimeout : 0,
    };
  }

  #answer({ statusCode, headers, body }: Dispatcher.ResponseData): Answer {
    const faultOfBody = (thrown: unknown): Error =>
      this.#signal.aborted ? asError(this.#signal.reason) : this.#faultOf(thrown);
    return {
      status: statusCode,
      headers,
      chunks: bodyChunks(body, this.#settings.bodyTimeout),
      destroy: () => body.destroy(),
      redactor: this.#redactor,
      faultOf: faultOfBody,
    };
  }

  async #refusal({ status, headers, chunks }: Answer): Promise<ServiceError> {
    const text = await readBeginning(chunks, errorBodyBytes);
    const asked = headers[headerNames.retryAfter];
    return faultOf(status, this.#redactor.refusal(asRecord(parseJson(text)) ?? {}), {
      excerpt: excerptOf(this.#redactor.text(text)),
      retryAfter: parseRetryAfter(typeof asked === 'string' ? asked : asked?.[0], this.#settings.clock),
    });
  }

  #faultOf(thrown: unknown): ProjectError {
    return thrown instanceof ProjectError ? thrown : transportFault(thrown, this.#redactor);
  }

  #log(event: string, metadata: Readonly<Record<string, unknown>>): void {
    const about = { method: this.#call.method, path: this.#redactor.text(this.#target), attempt: this.#attempt };
    try {
      this.#settings.logger?.(event, { ...about, ...metadata });
    } catch {
      // A logger that fails must not fail the call that it was told of.
    }
  }
}

/** An abort's reason for those who promise an Error; it may be any value. */
function asError(reason: unknown): Error {
  if (reason instanceof Error) return reason;
  return Object.assign(new DOMException('The call was aborted.', 'AbortError'), { cause: reason });
}
