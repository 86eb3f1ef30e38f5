import { Agent } from 'undici';
import { systemClock } from '../base/clock.ts';
import { headerNames } from '../wire/headers.ts';
import { type Address, parseBaseUrl } from '../wire/baseUrl.ts';
import type { BeforeHook, ClientOptions } from './options.ts';
import { checkCount, checkMilliseconds } from './checks.ts';
import { setHeader } from './requestHeaders.ts';

/** A client's options, checked and with defaults. */
export type TransportSettings = Readonly<ReturnType<typeof transportSettings>>;

/** The most sockets of a client. More calls wait in order. */
const maxConnections = 64;

export function transportSettings(options: ClientOptions, hooks: readonly BeforeHook[]) {
  const address: Address = parseBaseUrl(options.baseUrl, options.allowInsecure ?? false);
  return {
    apiKey: checkKey(options.apiKey ?? ''),
    hooks,
    holderId: options.holderId,
    projectName: options.projectName,
    address,
    logger: options.logger,
    onWait: options.onWait,
    onCallEnd: options.onCallEnd,
    clock: options.clock ?? systemClock,
    rules: {
      retries: checkCount('retries', options.retries ?? 3),
      backoff: {
        first: checkMilliseconds('backoff.first', options.backoff?.first ?? 300),
        max: checkMilliseconds('backoff.max', options.backoff?.max ?? 3000),
      },
      maxRetryDelay: checkMilliseconds('maxRetryDelay', options.maxRetryDelay ?? 30_000),
      random: options.random ?? Math.random,
    },
    headersTimeout: checkMilliseconds('headersTimeout', options.headersTimeout ?? 30_000),
    bodyTimeout: checkMilliseconds('bodyTimeout', options.bodyTimeout ?? 30_000),
    dispatcher: options.dispatcher ?? newAgent(options.connect),
    /** Whether closing the client closes the dispatcher. */
    ownsDispatcher: options.dispatcher === undefined,
  };
}

function newAgent(connect: ClientOptions['connect']): Agent {
  if (!connect) return new Agent({ connections: maxConnections });
  return new Agent({
    connections: maxConnections,
    connect: (_address, opened) => {
      connect().then(
        socket => opened(null, socket),
        (thrown: Error) => opened(thrown, null),
      );
    },
  });
}

/** The key without blanks around it, as HTTP sends it, so that the redactor finds it wherever a service echoes it. */
function checkKey(apiKey: string): string | undefined {
  const headers = new Headers();
  setHeader(headers, headerNames.apiKey, apiKey);
  return headers.get(headerNames.apiKey) || undefined;
}
