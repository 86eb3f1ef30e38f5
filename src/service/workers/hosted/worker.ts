/** The entry of the Worker: the router, and the classes of its objects. */
import { systemClock } from '../../../base/clock.ts';
import { defaultPathPrefix } from '../../../wire/paths.ts';
import { serviceCodes, ServiceError } from '../../../wire/serviceError.ts';
import { errorAnswer } from '../../http/answer.ts';
import { allowOrigins } from '../../http/crossOrigin.ts';
import type { WorkerBindings } from './objectNamespaces.ts';
import { answerRequest, noEnds } from './workerHandler.ts';
import { originsOf, variableFault } from './workerVariables.ts';

export { ProjectObject } from './projectObject.ts';
export { RegistryObject } from './registryObject.ts';

const worker = {
  async fetch(request: Request, bindings: WorkerBindings): Promise<Response> {
    const message = variableFault(bindings);
    if (message !== undefined) {
      return errorAnswer(new ServiceError({ status: 500, code: serviceCodes.internal, message }), systemClock);
    }
    const handler = allowOrigins(allowed => answerRequest(allowed, bindings), {
      origins: originsOf(bindings),
      pathPrefix: bindings.PATH_PREFIX ?? defaultPathPrefix,
      clock: systemClock,
    });
    return handler(request, noEnds);
  },
};
export default worker;
