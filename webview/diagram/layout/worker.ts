import { type LayoutRequest, layoutSteps } from './layout.ts';

/** Runs in a worker, so that the page stays usable. Its own type, since the page's is that of a window. */
const worker = globalThis as unknown as {
  addEventListener: (type: 'message', listener: (event: MessageEvent<LayoutRequest>) => void) => void;
  postMessage: (message: unknown) => void;
};

worker.addEventListener('message', ({ data }) => {
  for (const answer of layoutSteps(data)) worker.postMessage(answer);
});
