import { systemClock } from '../../../base/clock.ts';
import { silentLogger } from '../../../base/logger.ts';
import { headerNames } from '../../../wire/headers.ts';
import { defaultPathPrefix } from '../../../wire/paths.ts';
import { isProjectRoute, matchRoute } from '../../../wire/routes.ts';
import type { Engine } from '../../engine.ts';
import { keyMatcher } from '../../folder/keys.ts';
import { Access } from '../../http/access.ts';
import { createHandler } from '../../http/handler.ts';
import { ObjectAdministration } from './objectAdministration.ts';
import { projectInKey } from './objectKeys.ts';
import type { WorkerBindings } from './objectNamespaces.ts';

/** Passes the calls of a project to its object, and answers all others with the service's own handler. */
export async function answerRequest(request: Request, bindings: WorkerBindings): Promise<Response> {
  const pathPrefix = bindings.PATH_PREFIX ?? defaultPathPrefix;
  const matched = matchRoute(pathPrefix, new URL(request.url).pathname);
  const key = request.headers.get(headerNames.apiKey) ?? '';
  const isAdminKey = keyMatcher(bindings.ADMIN_KEY);
  const projectId = projectInKey(key);
  const route = matched?.route;
  // This Worker refuses a key of another project: the object of this project does not know the key.
  if (route && isProjectRoute(route) && !isAdminKey(key)) {
    if (projectId === undefined || projectId === route.projectId) {
      return bindings.PROJECTS.getByName(route.projectId).fetch(request);
    }
  }
  const owner = projectId === undefined ? undefined : await bindings.PROJECTS.getByName(projectId).ownerOf(key);
  const handler = createHandler({
    engine: noEngine,
    administration: new ObjectAdministration(bindings),
    access: new Access({
      isAdminKey,
      ownerOfKey: other => (other === key ? owner : undefined),
      openEnrolment: bindings.ENROLMENT === 'open',
      limiter: undefined,
    }),
    pathPrefix,
    clock: systemClock,
    logger: silentLogger,
  });
  return handler(request);
}

/** The objects answer all calls that need an engine. The admin's key opens no project. */
const noEngine = new Proxy({} as Engine, {
  get() {
    throw new Error('The router has no engine.');
  },
});
