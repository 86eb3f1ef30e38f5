/** The entry of the history thread. Its data is the folder of the history. */
import { parentPort, workerData } from 'node:worker_threads';
import type { CallAnswer, CallOf, CallParams } from '../../../base/callTable.ts';
import { asProjectError, messageOf } from '../../../base/errors.ts';
import { lazy } from '../../../base/lazy.ts';
import { HistoryStore } from '../historyStore.ts';
import type { FromHistoryThread, HistoryThreadCalls, ToHistoryThread } from './historyThreadCalls.ts';

const port = parentPort;
if (!port) throw new Error('The history thread must be started as a worker thread.');

const post = (message: FromHistoryThread): void => port.postMessage(message);

const opening = lazy(async () => {
  const store = await HistoryStore.create(workerData as string, file => post({ kind: 'damaged', file }));
  store.removeOrphans();
  return store;
});

const handlers: {
  readonly [M in keyof HistoryThreadCalls]: (
    store: HistoryStore,
    params: CallParams<HistoryThreadCalls, M>,
  ) => CallAnswer<HistoryThreadCalls, M>;
} = {
  add: (store, { entry, maxEntries }) => store.add([entry], maxEntries),
  page: (store, page) => store.page(page),
  projects: store => store.projects(),
  remove: (store, { id }) => store.remove(id),
  clear: store => store.clear(),
  dropValues: store => store.dropValues(),
  pruneRows: (store, { maxBytes }) => store.rows.prune(maxBytes),
  version: store => store.version(),
};

const handle = <M extends keyof HistoryThreadCalls>(
  store: HistoryStore,
  { method, params }: CallOf<HistoryThreadCalls, M>,
): CallAnswer<HistoryThreadCalls, M> => handlers[method](store, params);

async function answer({ id, call }: ToHistoryThread): Promise<FromHistoryThread> {
  try {
    return { kind: 'answer', id, value: handle(await opening(), call) };
  } catch (thrown) {
    return { kind: 'failure', id, code: asProjectError(thrown)?.code, message: messageOf(thrown) };
  }
}

port.on('message', (message: ToHistoryThread) => void answer(message).then(post));
