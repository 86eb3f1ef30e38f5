import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { matchRoute, type Route } from '../../wire/routes.ts';
import { serviceCodes, ServiceError } from '../../wire/serviceError.ts';
import { type ConnectionEnds, isHex32 } from '../../wire/serviceProof.ts';
import type { Access } from './access.ts';
import { answerAdministration } from './administrationCalls.ts';
import { type CallNotes, newCallNotes } from './callNotes.ts';
import type { Administration } from '../folder/administration.ts';
import { errorAnswer, jsonAnswer, reportTo, toServiceError } from './answer.ts';
import type { Engine } from '../engine.ts';
import type { Leases } from './leases.ts';
import type { Readiness } from './readiness.ts';
import { RequestBodies } from './requestBody.ts';
import { answerProject, type ProjectCall } from './projectCalls.ts';
import type { UnknownRecord } from '../../base/decode.ts';
import { badRequest, notFound } from '../faults.ts';

/** Version 0.0.4 of the text format of Prometheus. */
const metricsMediaType = 'text/plain; version=0.0.4; charset=utf-8';

interface ServiceParts {
  readonly engine: Engine;
  readonly administration: Administration;
  readonly access: Access;
  /** Without them no window shares the service. */
  readonly leases?: Leases;
  /** Without it the service proves nothing. */
  readonly prove?: Prove;
  readonly pathPrefix: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Without it the service is always ready. */
  readonly readiness?: Readiness;
  /** The metrics as a text for Prometheus. Without it the service has none. */
  readonly metrics?: () => Promise<string>;
}

export type Handler = (request: Request, notes?: CallNotes) => Promise<Response>;

type RequestParts = ServiceParts & Pick<ProjectCall, 'bodies' | 'report' | 'notes' | 'signal'>;

/** The service as a function from request to response. It is independent of Node.js, so any server can run it. */
export function createHandler(parts: ServiceParts): Handler {
  const bodies = new RequestBodies();
  return async (request, notes = newCallNotes()) => {
    const signal = notes.leaving ?? request.signal;
    const log = reportTo(parts.logger, signal);
    const report = (thrown: unknown): void => {
      if (!signal.aborted) notes.code = toServiceError(thrown).code;
      log(thrown);
    };
    try {
      return await handle({ ...parts, bodies, report, notes, signal }, request);
    } catch (thrown) {
      report(thrown);
      return errorAnswer(toServiceError(thrown), parts.clock);
    }
  };
}

async function handle(parts: RequestParts, request: Request): Promise<Response> {
  const matched = matchRoute(parts.pathPrefix, new URL(request.url).pathname);
  if (!matched) throw unknownPath();
  parts.notes.route = matched.route.name;
  if (request.method !== matched.method && !isProbe(matched.route, request.method)) {
    parts.notes.code = serviceCodes.methodNotAllowed;
    return methodNotAllowed(matched.method, parts.clock);
  }
  parts.readiness?.requireOpen(matched.route.name, parts.notes);
  const answer = await answerRoute(parts, matched.route, request);
  return answer instanceof Response ? answer : jsonAnswer(answer);
}

async function answerRoute(parts: RequestParts, route: Route, request: Request): Promise<Response | object> {
  switch (route.name) {
    case 'executeSql':
    case 'browseRows':
    case 'listTables':
    case 'tableSchema':
    case 'countTables':
    case 'projectStatus':
    case 'commit':
      return answerProject(openProject(parts, route.projectId, request), route);
    case 'lease':
      parts.access.requireAdmin(request.headers);
      if (!parts.leases) throw unknownPath();
      return parts.leases.grant(parts.signal);
    case 'prove':
      return answerNonce(parts, request);
    case 'health':
      return { ok: true };
    case 'readiness':
      return parts.readiness?.answer() ?? { ok: true, status: 'ready' };
    case 'metrics':
      parts.access.requireAdmin(request.headers);
      if (!parts.metrics) throw unknownPath();
      return metricsAnswer(await parts.metrics());
    default:
      return answerAdministration(parts, route, request);
  }
}

/** A load balancer may ask for the head alone. */
const isProbe = ({ name }: Route, method: string): boolean =>
  method === 'HEAD' && (name === 'health' || name === 'readiness');

function openProject(parts: RequestParts, projectId: string, request: Request): ProjectCall {
  const scope = parts.access.requireProject(request.headers, projectId, parts.notes);
  const requireKey = (): void => parts.access.requireUnrevoked(request.headers);
  return { ...parts, request, projectId, scope, requireKey };
}

const unknownPath = (): ServiceError => notFound('The service has nothing at this path.');

function metricsAnswer(text: string): Response {
  const bytes = new TextEncoder().encode(text);
  const headers = { 'content-type': metricsMediaType, 'content-length': String(bytes.length) };
  return new Response(bytes, { headers });
}

function methodNotAllowed(allowed: string, clock: Clock): Response {
  const message = `This path only takes ${allowed}.`;
  const answer = errorAnswer(new ServiceError({ status: 405, code: serviceCodes.methodNotAllowed, message }), clock);
  answer.headers.set('allow', allowed);
  return answer;
}

/** Returns the proof that this service knows the secret of its data folder. A proof holds for one connection. */
type Prove = (nonce: string, ends: ConnectionEnds) => Promise<string>;

/**
 * Needs no key: callers ask for the proof before they send one. No rate limit applies, or strangers could keep the owner from
 * the service. A proof costs less than the request.
 */
async function answerNonce({ prove, notes: { ends } }: RequestParts, request: Request): Promise<UnknownRecord> {
  if (!prove || !ends) throw unknownPath();
  const [nonce = '', ...others] = new URL(request.url).searchParams.getAll('nonce');
  if (others.length > 0 || !isHex32(nonce)) {
    throw badRequest('The parameter "nonce" must be 64 hexadecimal digits in lower case. Send it once.');
  }
  return { proof: await prove(nonce, ends) };
}
