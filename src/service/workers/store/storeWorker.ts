/** The entry of the Worker that the local service runs on workerd: the stores of its projects. */
import { storeHeaders } from '../../engines/workerd/storeCalls.ts';

export { ProjectStore } from './projectStore.ts';

interface StoreBindings {
  readonly STORES: { getByName(name: string): { fetch(request: Request): Promise<Response> } };
  readonly SECRET: string;
}

const worker = {
  async fetch(request: Request, { STORES, SECRET }: StoreBindings): Promise<Response> {
    if (request.headers.get(storeHeaders.secret) !== SECRET) return new Response(null, { status: 403 });
    const [, projectId = ''] = new URL(request.url).pathname.split('/');
    // The supervisor asks whether the process still answers.
    return projectId === '' ? new Response(null, { status: 204 }) : STORES.getByName(projectId).fetch(request);
  },
};
export default worker;
