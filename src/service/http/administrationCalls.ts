import { assertNever } from '../../base/assertNever.ts';
import { asNonBlankString, type UnknownRecord } from '../../base/decode.ts';
import { keyBody } from '../../wire/adminAnswers.ts';
import { initialisedBody, projectsBody, resolvedBody } from '../../wire/answerBodies.ts';
import { decodeKeyRequest, decodeProjectPair } from '../../wire/projectRequests.ts';
import type { AdminRoute, EnrolmentRoute } from '../../wire/routes.ts';
import { badRequest, requireDecoded } from '../faults.ts';
import type { Administration } from '../folder/administration.ts';
import type { Access } from './access.ts';
import type { RequestBodies } from './requestBody.ts';

interface AdministrationParts {
  readonly access: Access;
  readonly administration: Administration;
  readonly bodies: RequestBodies;
}

/** Answers the requests that find and make projects and their keys, and those of the admin. */
export async function answerAdministration(
  parts: AdministrationParts,
  route: EnrolmentRoute | AdminRoute,
  request: Request,
): Promise<UnknownRecord> {
  const { access, administration, bodies } = parts;
  switch (route.name) {
    case 'listProjects': {
      const caller = access.caller(request.headers);
      return projectsBody(caller.role === 'project' ? [caller.project] : await administration.projects());
    }
    case 'resolveProject': {
      const caller = access.enrollingCaller(request.headers);
      const pair = requireDecoded(decodeProjectPair(await bodies.fields(request)));
      const project = await administration.resolve(pair);
      // A project's key must not reveal whether other projects exist.
      const isHidden = caller.role === 'project' && caller.project.projectId !== project?.projectId;
      return resolvedBody(isHidden ? undefined : project);
    }
    case 'initProject': {
      access.requireEnrolment(request.headers);
      const pair = requireDecoded(decodeProjectPair(await bodies.fields(request)));
      return initialisedBody(await administration.init(pair));
    }
    case 'issueKey': {
      access.requireEnrolment(request.headers);
      const keyRequest = requireDecoded(decodeKeyRequest(await bodies.fields(request)));
      const { apiKey, keyId } = await administration.issueKey(keyRequest);
      return { apiKey, keyId, scope: keyRequest.scope, url: new URL(request.url).origin };
    }
    default:
      access.requireAdmin(request.headers);
      return answerAdmin(parts, route, request);
  }
}

async function answerAdmin(
  { administration, bodies }: AdministrationParts,
  route: AdminRoute,
  request: Request,
): Promise<UnknownRecord> {
  switch (route.name) {
    case 'listKeys': {
      const projectId = new URL(request.url).searchParams.get('project_id') ?? undefined;
      return { keys: (await administration.keys(projectId)).map(keyBody) };
    }
    case 'revokeKey':
      return keyBody(await administration.revokeKey(route.keyId));
    case 'vacuum':
      await administration.vacuum(route.projectId);
      return { ok: true };
    case 'check': {
      const problems = await administration.check(route.projectId);
      return { ok: problems.length === 0, problems };
    }
    case 'exportProject':
      await administration.exportProject(route.projectId, fileOf(await bodies.fields(request)));
      return { ok: true };
    case 'backup':
      await administration.backup(route.projectId, fileOf(await bodies.fields(request)));
      return { ok: true };
    case 'importProject': {
      const body = await bodies.fields(request);
      return projectsBody([await administration.importProject(requireDecoded(decodeProjectPair(body)), fileOf(body))]);
    }
    case 'restore': {
      const body = await bodies.fields(request);
      return projectsBody([await administration.restore(fileOf(body), asNonBlankString(body['project_id']))]);
    }
    case 'deleteProject':
      return projectsBody([await administration.deleteProject(route.projectId)]);
    default:
      return assertNever(route);
  }
}

function fileOf(body: UnknownRecord): string {
  const file = asNonBlankString(body['file']);
  if (file === undefined) throw badRequest('The field "file" must be a path.');
  return file;
}
