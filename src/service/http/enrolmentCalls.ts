import type { UnknownRecord } from '../../base/decode.ts';
import { initialisedBody, projectsBody, resolvedBody } from '../../wire/answerBodies.ts';
import { decodeKeyRequest, decodeProjectPair } from '../../wire/projectRequests.ts';
import { requireDecoded } from '../faults.ts';
import type { Access } from './access.ts';
import type { Administration } from '../folder/administration.ts';
import type { RequestBodies } from './requestBody.ts';

interface EnrolmentParts {
  readonly access: Access;
  readonly administration: Administration;
  readonly bodies: RequestBodies;
}

export async function listProjects(
  { access, administration }: EnrolmentParts,
  request: Request,
): Promise<UnknownRecord> {
  const caller = access.caller(request.headers);
  return projectsBody(caller.role === 'project' ? [caller.project] : await administration.projects());
}

export async function resolvePair(
  { access, administration, bodies }: EnrolmentParts,
  request: Request,
): Promise<UnknownRecord> {
  const caller = access.enrollingCaller(request.headers);
  const pair = requireDecoded(decodeProjectPair(await bodies.fields(request)));
  const project = await administration.resolve(pair);
  // A project's key must not reveal whether other projects exist.
  const isHidden = caller.role === 'project' && caller.project.projectId !== project?.projectId;
  return resolvedBody(isHidden ? undefined : project);
}

export async function initProject(
  { access, administration, bodies }: EnrolmentParts,
  request: Request,
): Promise<UnknownRecord> {
  access.requireEnrolment(request.headers);
  return initialisedBody(await administration.init(requireDecoded(decodeProjectPair(await bodies.fields(request)))));
}

export async function issueProjectKey(
  { access, administration, bodies }: EnrolmentParts,
  request: Request,
): Promise<UnknownRecord> {
  access.requireEnrolment(request.headers);
  const keyRequest = requireDecoded(decodeKeyRequest(await bodies.fields(request)));
  const { apiKey, keyId } = await administration.issueKey(keyRequest);
  return { apiKey, keyId, scope: keyRequest.scope, url: new URL(request.url).origin };
}
