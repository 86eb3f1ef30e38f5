import type { UnknownRecord } from '../base/decode.ts';
import { initialisedBody, projectsBody, resolvedBody } from '../wire/answerBodies.ts';
import { decodeKeyRequest, decodeProjectPair } from '../wire/projectRequests.ts';
import type { Access } from './access.ts';
import type { Administration } from './administration.ts';
import { decoded, jsonObject } from './requestBody.ts';

interface EnrolmentParts {
  readonly access: Access;
  readonly administration: Administration;
}

export async function listProjects(
  { access, administration }: EnrolmentParts,
  request: Request,
): Promise<UnknownRecord> {
  const caller = access.caller(request.headers);
  return projectsBody(caller.role === 'project' ? [caller.project] : await administration.projects());
}

export async function resolveProject(
  { access, administration }: EnrolmentParts,
  request: Request,
): Promise<UnknownRecord> {
  const caller = access.enrolling(request.headers);
  const pair = decoded(decodeProjectPair(await jsonObject(request)));
  const found = await administration.resolve(pair);
  // A project's own key tells of that project alone: any other is as unknown to it as one that is not there.
  const hidden = caller.role === 'project' && caller.project.projectId !== found?.projectId;
  return resolvedBody(hidden ? undefined : found);
}

export async function initProject(
  { access, administration }: EnrolmentParts,
  request: Request,
): Promise<UnknownRecord> {
  access.requireEnrolment(request.headers);
  return initialisedBody(await administration.init(decoded(decodeProjectPair(await jsonObject(request)))));
}

export async function issueKey({ access, administration }: EnrolmentParts, request: Request): Promise<UnknownRecord> {
  access.requireEnrolment(request.headers);
  const { apiKey, keyId } = await administration.issueKey(decoded(decodeKeyRequest(await jsonObject(request))));
  return { apiKey, keyId, url: new URL(request.url).origin };
}
