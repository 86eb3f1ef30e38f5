import { assertNever } from '../../base/assertNever.ts';
import { asNonBlankString, type UnknownRecord } from '../../base/decode.ts';
import { keyBody } from '../../wire/adminAnswers.ts';
import { projectsBody } from '../../wire/answerBodies.ts';
import { decodeProjectPair } from '../../wire/projectRequests.ts';
import type { AdminRoute } from '../../wire/routes.ts';
import type { Administration } from '../folder/administration.ts';
import { badRequest, requireDecoded } from '../faults.ts';
import type { RequestBodies } from './requestBody.ts';

interface AdminParts {
  readonly administration: Administration;
  readonly bodies: RequestBodies;
}

/** Answers the admin's requests, after the key has been checked. */
export async function answerAdmin(
  { administration, bodies }: AdminParts,
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
