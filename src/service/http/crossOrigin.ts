import type { Clock } from '../../base/clock.ts';
import { headerNames } from '../../wire/headers.ts';
import { type HttpMethod, isProjectRoute, matchRoute, type Route } from '../../wire/routes.ts';
import { serviceCodes } from '../../wire/serviceError.ts';
import { forbidden } from '../faults.ts';
import { errorAnswer } from './answer.ts';
import { newCallNotes } from './callNotes.ts';
import type { Handler } from './handler.ts';

/** A page may use a project with its key. It may not administer the service, nor ask for keys. */
const isPageRoute = (route: Route): boolean =>
  route.name === 'listProjects' || route.name === 'resolveProject' || isProjectRoute(route);

const { apiKey, holderId, projectName, idempotencyKey, idempotencyReplayed } = headerNames;
const { contentType, retryAfter, requestId, correlationId } = headerNames;

const requestHeaders = [contentType, apiKey, holderId, projectName, idempotencyKey, correlationId].join(', ');
/** The headers of an answer that the client reads. The client compares `Retry-After` with `Date`. */
const answerHeaders = [retryAfter, 'date', requestId, idempotencyReplayed].join(', ');
/** How long a browser may remember the answer to a preflight. A removed origin is still refused at its next call. */
const preflightSeconds = 600;

interface CrossOriginOptions {
  /** The origins whose pages may call, as browsers write them: `https://app.example`. */
  readonly origins: ReadonlySet<string>;
  readonly pathPrefix: string;
  readonly clock: Clock;
}

/** An origin as browsers write it. Undefined for a text that is not an origin. */
export function webOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : undefined;
}

/**
 * Lets the web pages of named origins use projects, and refuses all other pages. Browsers name the origin of a page in each call
 * to another origin, and other programs do not. A page has to send a key as all callers do: no call is authorized by a cookie.
 */
export function allowOrigins(handler: Handler, { origins, pathPrefix, clock }: CrossOriginOptions): Handler {
  return async (request, notes = newCallNotes()) => {
    const origin = request.headers.get('origin');
    if (origin === null) {
      const answer = await handler(request, notes);
      // A cache must not give a page the answer to a request without an origin.
      if (origins.size > 0) answer.headers.append('vary', 'Origin');
      return answer;
    }
    const matched = matchRoute(pathPrefix, new URL(request.url).pathname);
    const reason = refusal(origins.has(origin), matched?.route);
    if (reason !== undefined) {
      notes.route = matched?.route.name ?? 'none';
      notes.code = serviceCodes.forbidden;
      return errorAnswer(forbidden(reason), clock);
    }
    const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
    if (isPreflight && matched) notes.route = 'preflight';
    const answer = isPreflight && matched ? preflightAnswer(matched.method) : await handler(request, notes);
    answer.headers.set('access-control-allow-origin', origin);
    answer.headers.set('access-control-expose-headers', answerHeaders);
    answer.headers.append('vary', 'Origin');
    return answer;
  };
}

function refusal(isAllowed: boolean, route: Route | undefined): string | undefined {
  if (!isAllowed) {
    return 'Requests from web pages of this origin are refused. Start the service with --allow-origin to allow an origin.';
  }
  if (route === undefined || isPageRoute(route)) return undefined;
  return 'Web pages may not make this call. Make it with the command line, or with another program.';
}

function preflightAnswer(method: HttpMethod): Response {
  const headers = {
    'access-control-allow-methods': method,
    'access-control-allow-headers': requestHeaders,
    'access-control-max-age': String(preflightSeconds),
    'content-length': '0',
  };
  return new Response(null, { status: 204, headers });
}
