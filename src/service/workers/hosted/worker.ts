/** The entry of the Worker: the router, and the classes of its objects. */
import { systemClock } from '../../../base/clock.ts';
import { defaultPathPrefix } from '../../../wire/paths.ts';
import { allowOrigins } from '../../http/crossOrigin.ts';
import type { WorkerBindings } from './objectNamespaces.ts';
import { answerRequest, noEnds } from './workerHandler.ts';

export { ProjectObject } from './projectObject.ts';
export { RegistryObject } from './registryObject.ts';

const worker = {
  async fetch(request: Request, bindings: WorkerBindings): Promise<Response> {
    const handler = allowOrigins(allowed => answerRequest(allowed, bindings), {
      origins: new Set((bindings.ALLOWED_ORIGINS ?? '').split(' ').filter(Boolean)),
      pathPrefix: bindings.PATH_PREFIX ?? defaultPathPrefix,
      clock: systemClock,
    });
    return handler(request, noEnds);
  },
};
export default worker;
