import { assertNever } from '../base/assertNever.ts';
import type { Logger } from '../base/logger.ts';
import { asNonEmptyString, asRecord, asString, parseJson } from '../base/shape.ts';
import type { ProjectRecord } from '../wire/answers.ts';
import { matchRoute, type Route } from '../wire/paths.ts';
import { serviceCodes, ServiceError } from '../wire/serviceError.ts';
import { decodeSqlRequest } from '../wire/sqlRequest.ts';
import type { Access } from './access.ts';
import { errorAnswer, jsonAnswer, logLine, rowsAnswer, toServiceError } from './answer.ts';
import type { Engine } from './engine.ts';
import type { Registry } from './registry.ts';

export interface ServiceParts {
  readonly engine: Engine;
  readonly registry: Registry;
  readonly access: Access;
  readonly pathPrefix: string;
  readonly logger: Logger;
}

const browseLimits = { usual: 100, most: 10_000 };

/** The service as a function from request to response. It knows no server, so that any can stand in front of it. */
export function createHandler(parts: ServiceParts): (request: Request) => Promise<Response> {
  return async request => {
    try {
      return await handle(parts, request);
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) parts.logger.error(logLine(thrown));
      return errorAnswer(toServiceError(thrown));
    }
  };
}

async function handle(parts: ServiceParts, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const matched = matchRoute(parts.pathPrefix, url.pathname);
  if (!matched) throw fault(404, serviceCodes.notFound, 'There is nothing at this path.');
  if (request.method !== matched.method) {
    throw fault(405, serviceCodes.methodNotAllowed, `This path takes ${matched.method} only.`);
  }
  return answerRoute(parts, { route: matched.route, request, url });
}

async function answerRoute(
  { engine, registry, access, logger }: ServiceParts,
  { route, request, url }: { route: Route; request: Request; url: URL },
): Promise<Response> {
  const { headers } = request;
  switch (route.name) {
    case 'listProjects': {
      const caller = access.caller(headers);
      return jsonAnswer({
        projects: (caller.role === 'admin' ? registry.projects() : [caller.project]).map(projectRecord),
      });
    }
    case 'issueKey': {
      access.requireAdmin(headers);
      return issueKey(registry, await jsonBody(request), url);
    }
    case 'listTables':
      access.requireProject(headers, route.projectId);
      return jsonAnswer({ tables: await engine.listTables(route.projectId) });
    case 'browseRows': {
      access.requireProject(headers, route.projectId);
      const limit = Math.min(countParameter(url, 'limit', browseLimits.usual), browseLimits.most);
      const offset = countParameter(url, 'offset', 0);
      const page = { table: route.table, limit, offset };
      const outcome = await engine.browse(route.projectId, page, request.signal);
      return rowsAnswer(
        outcome,
        () => ({ limit, offset, table: route.table, columns: outcome.columns(), ok: true }),
        logger,
      );
    }
    case 'executeSql': {
      access.requireProject(headers, route.projectId);
      const call = decodeSqlRequest(await jsonBody(request));
      if (typeof call === 'string') throw fault(400, serviceCodes.badRequest, call);
      const outcome = await engine.execute(route.projectId, { ...call, signal: request.signal });
      if (outcome.kind === 'count') return jsonAnswer({ ok: true, row_count: outcome.rowCount });
      return rowsAnswer(outcome, () => ({ columns: outcome.columns(), ok: true }), logger);
    }
    default:
      return assertNever(route);
  }
}

const fault = (status: number, code: string, message: string): ServiceError =>
  new ServiceError({ status, code, message });

const projectRecord = ({ projectId, holderId, projectName }: ProjectRecord) => ({
  project_id: projectId,
  holder_id: holderId,
  project_name: projectName,
});

async function jsonBody(request: Request): Promise<string> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\b/i.test(type)) {
    throw fault(415, serviceCodes.unsupportedMediaType, 'The body must be sent as application/json.');
  }
  return request.text();
}

function issueKey(registry: Registry, body: string, url: URL): Response {
  const call = asRecord(parseJson(body));
  const projectId = asNonEmptyString(call?.['projectId']);
  if (projectId === undefined) throw fault(400, serviceCodes.badRequest, 'The field "projectId" must be a string.');
  if (!registry.project(projectId)) throw fault(404, serviceCodes.projectNotFound, 'There is no such project.');
  return jsonAnswer({ apiKey: registry.issueKey(projectId, asString(call?.['user']) ?? ''), url: url.origin });
}

function countParameter(url: URL, name: string, usual: number): number {
  const text = url.searchParams.get(name);
  if (text === null) return usual;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw fault(400, serviceCodes.badRequest, `The parameter "${name}" must be a whole number, 0 or more.`);
  }
  return value;
}
