import type { UnknownRecord } from '../../base/decode.ts';
import { initialisedBody, projectsBody, resolvedBody } from '../../wire/answerBodies.ts';
import { decodeKeyRequest, decodeProjectPair } from '../../wire/projectRequests.ts';
import type { EnrolmentRoute } from '../../wire/routes.ts';
import { requireDecoded } from '../faults.ts';
import type { Access } from './access.ts';
import type { Administration } from '../folder/administration.ts';
import type { RequestBodies } from './requestBody.ts';

interface EnrolmentParts {
  readonly access: Access;
  readonly administration: Administration;
  readonly bodies: RequestBodies;
}

/** Answers the requests that find and make projects and their keys. */
export async function answerEnrolment(
  { access, administration, bodies }: EnrolmentParts,
  { name }: EnrolmentRoute,
  request: Request,
): Promise<UnknownRecord> {
  switch (name) {
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
  }
}
