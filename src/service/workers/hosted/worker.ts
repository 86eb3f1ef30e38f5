/** The entry of the Worker: the router, and the classes of its objects. */
import { DurableObject } from 'cloudflare:workers';
import { systemClock } from '../../../base/clock.ts';
import { silentLogger } from '../../../base/logger.ts';
import type { ProjectRecord } from '../../../wire/answers.ts';
import { headerNames } from '../../../wire/headers.ts';
import { defaultPathPrefix } from '../../../wire/paths.ts';
import type { ProjectPair } from '../../../wire/projectAnswers.ts';
import { isProjectRoute, matchRoute } from '../../../wire/routes.ts';
import type { Engine } from '../../engine.ts';
import { type SqlOutput, outputText } from '../../engines/durable/objectStorage.ts';
import { internalError } from '../../faults.ts';
import { keyMatcher } from '../../folder/keys.ts';
import { Access } from '../../http/access.ts';
import { errorAnswer } from '../../http/answer.ts';
import { allowOrigins } from '../../http/crossOrigin.ts';
import { createHandler } from '../../http/handler.ts';
import { ObjectAdministration } from './objectAdministration.ts';
import { projectInKey } from './objectKeys.ts';
import type { WorkerBindings } from './objectNamespaces.ts';
import { originsOf, variableFault } from './workerVariables.ts';

export { ProjectObject } from './projectObject.ts';

const worker = {
  async fetch(request: Request, bindings: WorkerBindings): Promise<Response> {
    const message = variableFault(bindings);
    if (message !== undefined) return errorAnswer(internalError(message), systemClock);
    const handler = allowOrigins(allowed => answerRequest(allowed, bindings), {
      origins: originsOf(bindings),
      pathPrefix: bindings.PATH_PREFIX ?? defaultPathPrefix,
      clock: systemClock,
    });
    return handler(request);
  },
};
export default worker;

/** Passes the calls of a project to its object, and answers all others with the service's own handler. */
async function answerRequest(request: Request, bindings: WorkerBindings): Promise<Response> {
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

/** The projects of some holders. There is one registry for each share of the holders. */
export class RegistryObject extends DurableObject {
  constructor(...parts: ConstructorParameters<typeof DurableObject>) {
    super(...parts);
    this.ctx.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS projects (
         project_id TEXT PRIMARY KEY, holder_id TEXT NOT NULL, project_name TEXT NOT NULL, UNIQUE (holder_id, project_name)
       ) STRICT`,
    );
  }

  projects(): ProjectRecord[] {
    return this.#select('', []);
  }

  resolve({ holderId, projectName }: ProjectPair): ProjectRecord | undefined {
    return this.#select('WHERE holder_id = ? AND project_name = ?', [holderId, projectName])[0];
  }

  /** Makes a project with this id if the holder has none of that name. */
  init(pair: ProjectPair, projectId: string): ProjectRecord {
    const { holderId, projectName } = pair;
    const sql = 'INSERT INTO projects VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
    this.ctx.storage.sql.exec(sql, projectId, holderId, projectName);
    return this.resolve(pair)!;
  }

  remove(projectId: string): void {
    this.ctx.storage.sql.exec('DELETE FROM projects WHERE project_id = ?', projectId);
  }

  #select(where: string, values: readonly string[]): ProjectRecord[] {
    const sql = `SELECT project_id, holder_id, project_name FROM projects ${where} ORDER BY project_name, holder_id`;
    return Array.from(this.ctx.storage.sql.exec(sql, ...values).raw(), toProject);
  }
}

const toProject = ([projectId, holderId, projectName]: readonly SqlOutput[]): ProjectRecord => ({
  projectId: outputText(projectId),
  holderId: outputText(holderId),
  projectName: outputText(projectName),
});
